/// One header or trailer field: a name and a value.
///
///     let field = HTTPField(name: .accept, value: "application/json")
public struct HTTPField: Hashable, Sendable {
    /// Compared without regard to case.
    public var name: Name
    /// Without leading or trailing white space. Bytes that are no UTF-8 are read as ISO 8859-1.
    public var value: String

    /// The value is not checked here. Whoever writes the message refuses what would end the field.
    public init(name: Name, value: String) {
        self.name = name
        self.value = value
    }
}
