/// The fields of a message, in the order in which they were written. A name may occur more than once.
///
///     var fields: HTTPFields = [.contentType: "application/json"]
///     fields[.cacheControl] = "no-store"
public struct HTTPFields: Hashable, Sendable {
    private var fields: [HTTPField] = []

    public init() {}

    public init(_ fields: [HTTPField]) {
        self.fields = fields
    }

    public mutating func append(_ field: HTTPField) {
        fields.append(field)
    }

    public mutating func append(name: HTTPField.Name, value: String) {
        fields.append(HTTPField(name: name, value: value))
    }

    public mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    public func contains(_ name: HTTPField.Name) -> Bool {
        firstIndex(of: name) != nil
    }

    /// The value under a name; several are joined by a comma, which every list-based field allows (RFC 9110
    /// section 5.3). Read `Set-Cookie` by `subscript(values:)`: it is no list. Setting replaces them all.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard let first = firstIndex(of: name) else { return nil }
            var joined = fields[first].value
            for index in fields.indices.dropFirst(first + 1) where fields[index].name == name {
                joined += ", " + fields[index].value
            }
            return joined
        }
        set { self[values: name] = newValue.map { [$0] } ?? [] }
    }

    /// Looks at the names in place, since a copy of a field costs more than the comparison.
    private func firstIndex(of name: HTTPField.Name) -> Int? {
        for index in fields.indices where fields[index].name == name { return index }
        return nil
    }

    /// Every value under a name, in order.
    public subscript(values name: HTTPField.Name) -> [String] {
        get { fields.filter { $0.name == name }.map(\.value) }
        set {
            guard let first = firstIndex(of: name) else {
                fields.append(contentsOf: newValue.map { HTTPField(name: name, value: $0) })
                return
            }
            fields.removeAll { $0.name == name }
            fields.insert(contentsOf: newValue.map { HTTPField(name: name, value: $0) }, at: first)
        }
    }
}

extension HTTPFields: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
    }
}
