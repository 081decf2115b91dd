import Foundation

/// The tables of a page in Markdown.
struct ConformancePage {
    struct Row {
        let section: String
        let module: String
        let cells: [String]
    }

    private(set) var rows: [Row] = []

    init(_ text: String) {
        var section = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }
            let module = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            rows.append(Row(section: section, module: module, cells: cells))
        }
    }

    /// What is named `Suite/function` between backticks: a type and one of its functions.
    static func tests(in text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).map(String.init).filter { code in
            let parts = code.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let type = parts[0].first, let function = parts[1].first else { return false }
            return type.isUppercase && function.isLowercase
                && code.allSatisfy { $0.isLetter || $0.isNumber || $0 == "/" }
        }
    }
}
