/// One header or trailer field: a name and a value.
public struct HTTPField: Hashable, Sendable {
    public var name: Name
    /// Without leading or trailing white space. Bytes that are no UTF-8 are read as ISO 8859-1.
    public var value: String

    public init(name: Name, value: String) {
        self.name = name
        self.value = value
    }
}
