import Primitives

/// A JSON value: what claims are made of.
///
///     let claims: [String: JSONValue] = [
///         "roles": ["admin", "staff"],
///         "email_verified": true,
///         "age": 42,
///         "address": ["country": "KR"],
///     ]
public enum JSONValue: Hashable, Sendable {
    /// `null`. Among claims that are put over others, it takes one away.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The text, if it is one.
    ///
    ///     let grant: String? = JSONValue.string("refresh_token").string
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, if it is one without a fraction.
    ///
    ///     let lifetime: Int64? = JSONValue.integer(300).integer
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The truth value, if it is one.
    ///
    ///     let isActive: Bool? = JSONValue.bool(true).bool
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, if it is an array.
    ///
    ///     let roles: [JSONValue]? = JSONValue.array(["admin"]).array
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The member of that name, if it is an object that has one.
    ///
    ///     let address: JSONValue = ["country": "KR"]
    ///     let country = address["country"]?.string
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

extension JSONValue {
    /// A value as it came in a token or in an answer.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = value.int64.map { .integer($0) } ?? .number(value.double ?? .nan)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let object): self = .object([String: JSONValue](object))
        }
    }

    /// A number that JSON cannot say is null.
    var json: JSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .number(let value): JSONNumber(value).map { .number($0) } ?? .null
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(JSONObject(members))
        }
    }
}

extension JSONObject {
    /// In the order of the names, so that the same claims are the same text.
    init(_ members: [String: JSONValue]) {
        self.init()
        for name in members.keys.sorted() { self[name] = members[name]?.json }
    }
}

extension [String: JSONValue] {
    init(_ object: JSONObject) {
        self.init()
        for (name, value) in object { self[name] = JSONValue(value) }
    }
}
