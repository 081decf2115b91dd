/// A JSON value (RFC 8259).
///
/// Equality is that of the content: the order of members does not matter, texts are compared byte by byte, numbers by
/// their literal.
///
///     let claims = try JSON(parsing: #"{"sub":"alice","exp":1700000000}"#)
///     let subject = claims["sub"]?.string                    // "alice"
///     let answer: JSON = ["active": true, "scope": "openid"]
///     let text = answer.text()                               // {"active":true,"scope":"openid"}
public enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// `nil` unless it is `true` or `false`: nothing is converted.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// `nil` unless it is a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// `nil` unless it is a number; a string of digits is none.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// A number written as an integer that fits; see ``JSONNumber/int64``.
    public var int64: Int64? { number?.int64 }

    /// The nearest double of a number within range.
    public var double: Double? { number?.double }

    /// `nil` unless it is an array.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// `nil` unless it is an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of that name, if this is an object that has one.
    public subscript(name: String) -> JSON? { object?[name] }
}

extension JSON: Hashable {
    /// By content; see above.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): sameText(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Equal values hash alike, whatever the order of their members.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}
