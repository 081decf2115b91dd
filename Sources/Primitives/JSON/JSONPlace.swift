/// A place in a JSON text, as editors count: `12:5`.
package struct JSONPlace: Hashable, Sendable {
    /// What of a member is meant. Elements of arrays have no name: there it is always the value.
    package enum Part: Hashable, Sendable {
        case name
        case value
    }

    /// From 1.
    package let line: Int
    /// In characters (Unicode scalars), from 1.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension JSONPlace: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}
