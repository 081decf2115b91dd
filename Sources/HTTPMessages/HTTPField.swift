/// One header or trailer field: a name and a value.
package struct HTTPField: Hashable, Sendable {
    package var name: Name
    /// Without leading or trailing white space. Bytes that are no UTF-8 are read as ISO 8859-1.
    package var value: String

    package init(name: Name, value: String) {
        self.name = name
        self.value = value
    }
}
