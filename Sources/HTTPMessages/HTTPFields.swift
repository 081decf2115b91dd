/// The fields of a message, in the order in which they were written. A name may occur more than once.
///
///     var fields: HTTPFields = [.contentType: "application/json"]
///     fields[.cacheControl] = "no-store"
///     fields.append(name: .setCookie, value: "a=1")
///     fields.append(name: .setCookie, value: "b=2")
///     let cookies = fields[values: .setCookie]            // two: they are not joined
public struct HTTPFields: Hashable, Sendable {
    private var fields: [HTTPField] = []

    /// No fields.
    public init() {}

    /// In that order.
    public init(_ fields: [HTTPField]) {
        self.fields = fields
    }

    /// At the end, also where there is one of that name.
    public mutating func append(_ field: HTTPField) {
        fields.append(field)
    }

    /// At the end, also where there is one of that name.
    public mutating func append(name: HTTPField.Name, value: String) {
        fields.append(HTTPField(name: name, value: value))
    }

    package mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Whether there is a field of that name, be it empty.
    public func contains(_ name: HTTPField.Name) -> Bool {
        firstIndex(of: name) != nil
    }

    /// The value under a name; several are joined by a comma, which every list-based field allows (RFC 9110
    /// section 5.3). Read `Set-Cookie` by `subscript(values:)`: it is no list. Setting replaces them all.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard var index = firstIndex(of: name) else { return nil }
            var joined = fields[index].value
            while let another = firstIndex(of: name, from: index + 1) {
                joined += ", " + fields[another].value
                index = another
            }
            return joined
        }
        set { self[values: name] = newValue.map { [$0] } ?? [] }
    }

    /// Whether there is more than one field of that name.
    package func has(severalOf name: HTTPField.Name) -> Bool {
        guard let first = firstIndex(of: name) else { return false }
        return firstIndex(of: name, from: first + 1) != nil
    }

    /// Looks at the names in place, since a copy of a field costs more than the comparison.
    private func firstIndex(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        fields.withUnsafeBufferPointer { fields in
            var index = start
            while index < fields.count {
                if fields[index].name == name { return index }
                index += 1
            }
            return nil
        }
    }

    /// Every value under a name, in order.
    public subscript(values name: HTTPField.Name) -> [String] {
        get {
            guard var index = firstIndex(of: name) else { return [] }
            var values = [fields[index].value]
            while let another = firstIndex(of: name, from: index + 1) {
                values.append(fields[another].value)
                index = another
            }
            return values
        }
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
    /// That of the first field.
    public var startIndex: Int { fields.startIndex }
    /// One behind the last.
    public var endIndex: Int { fields.endIndex }
    /// The fields in the order in which they were written.
    public subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// In the order of the literal; a name may stand in it more than once.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
    }
}
