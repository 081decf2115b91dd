import Primitives

/// How a list in an answer is shown to people.
struct ControlTable: Sendable {
    /// The member of the answer that is the list.
    let member: String
    private let columns: [Column]

    private struct Column {
        let heading: String
        /// The path of members that is below it.
        let path: [String]
        /// Whether what is long stands there in part.
        let isCut: Bool

        /// Of what is cut, so many characters are shown. Who wants all of it asks for JSON.
        static let shownCharacters = 40

        func text(of row: JSON) -> String {
            let text = path.reduce(row as JSON?) { value, name in value?[name] }.map(ControlText.short) ?? "-"
            return isCut && text.count > Self.shownCharacters ? text.prefix(Self.shownCharacters - 1) + "…" : text
        }
    }

    /// - Parameters:
    ///   - columns: names of members, with dots for those of members.
    ///   - longColumn: the one that others fill with as much as they like.
    init(_ member: String, _ columns: String..., cutting longColumn: String? = nil) {
        precondition(longColumn.map(columns.contains) ?? true, "there is no column of this name")
        self.member = member
        self.columns = columns.map { column in
            let path = column.split(separator: ".").map(String.init)
            let heading = path.joined(separator: " ").uppercased()
            return Column(
                heading: String(heading.map { $0 == "_" ? " " : $0 }), path: path, isCut: column == longColumn)
        }
    }

    func text(of rows: [JSON]) -> String {
        TextTable([columns.map(\.heading)] + rows.map { row in columns.map { $0.text(of: row) } }).text
    }
}

/// JSON as people read it.
enum ControlText {
    /// On one line.
    static func short(_ json: JSON) -> String {
        if let text = json.string { return text }
        if json == .null { return "-" }
        if let elements = json.array { return elements.isEmpty ? "-" : elements.map(short).joined(separator: ",") }
        if let object = json.object {
            return object.isEmpty ? "-" : object.map { "\($0.0)=\(short($0.1))" }.joined(separator: " ")
        }
        return String(decoding: json.serialised(), as: UTF8.self)
    }

    /// A member on each line.
    static func lines(_ object: JSONObject) -> String {
        TextTable(object.map { [$0.0, short($0.1)] }).text
    }
}
