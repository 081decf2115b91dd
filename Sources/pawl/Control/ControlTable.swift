import Primitives

/// How a list in an answer is shown to people.
struct ControlTable: Sendable {
    /// The member of the answer that is the list.
    let member: String
    /// A heading, and the path of members that is below it.
    let columns: [(heading: String, path: [String])]

    /// - Parameter columns: names of members, with dots for those of members.
    init(_ member: String, _ columns: String...) {
        self.member = member
        self.columns = columns.map { column in
            let path = column.split(separator: ".").map(String.init)
            let heading = path.joined(separator: " ").uppercased()
            return (heading: String(heading.map { $0 == "_" ? " " : $0 }), path: path)
        }
    }

    func text(of rows: [JSON]) -> String {
        let cells = rows.map { row in
            columns.map { column in
                column.path.reduce(row as JSON?) { value, name in value?[name] }.map(ControlText.short) ?? "-"
            }
        }
        return TextTable([columns.map(\.heading)] + cells).text
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
