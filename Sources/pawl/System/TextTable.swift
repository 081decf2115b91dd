/// Rows in columns that are as wide as they need to be, for a terminal.
struct TextTable {
    private let rows: [[String]]

    /// Every row has as many cells as the first.
    init(_ rows: [[String]]) {
        self.rows = rows
    }

    var text: String {
        guard let first = rows.first else { return "" }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line + "\n"
        }.joined()
    }
}
