extension JSON: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("JSON has no infinity") }
        self = .number(number)
    }
}

extension JSON: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements {
            let isNew = object.insert(name, value)
            precondition(isNew, "a literal names the same member twice")
        }
        self = .object(object)
    }
}
