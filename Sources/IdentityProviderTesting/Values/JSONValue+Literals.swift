extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil` is null.
    public init(nilLiteral: ()) { self = .null }

    /// `true` and `false` are themselves.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number is itself.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number is itself.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// A text is itself.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array is itself.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// A dictionary is an object. Of a name that is there twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
