extension JSON: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// A number without a point.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
    /// A number in the fewest digits that read back to the same double. Traps on infinity, which JSON cannot say.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("JSON has no infinity") }
        self = .number(number)
    }
}

extension JSON: ExpressibleByStringInterpolation {
    /// A string, also one with values put into it.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object. Traps where two members have the same name.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements {
            let isNew = object.insert(name, value)
            precondition(isNew, "a literal names the same member twice")
        }
        self = .object(object)
    }
}
