/// A block of code in a doc comment.
struct Example: Sendable {
    /// Of its first line.
    let number: Int
    /// Without what the formatter may move.
    let lines: [String]

    var words: Set<Substring> {
        Set(lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } })
    }

    /// Those of the doc comment that ends above a line.
    static func all(above index: Int, in file: SourceFile) -> [Example] {
        var start = index
        while start > 0 {
            let text = file.lines[start - 1].drop { $0 == " " }
            guard text.hasPrefix("///") || text.hasPrefix("@") else { break }
            start -= 1
        }
        var found: [Example] = []
        var lines: [String] = []
        for (index, line) in zip(start..., file.lines[start...index]) {
            if let code = code(in: line) {
                lines.append(normalised(code[...]))
            } else if !lines.isEmpty {
                found.append(Example(number: index - lines.count + 1, lines: lines))
                lines = []
            }
        }
        return found
    }

    private static func code(in line: Substring) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///     ") else { return nil }
        return String(text.dropFirst(8))
    }

    /// Without indentation, and without what stands behind two slashes.
    static func normalised(_ line: Substring) -> String {
        var code = line[...]
        if let remark = line.firstRange(of: " //") { code = line[..<remark.lowerBound] }
        return code.split(separator: " ").joined(separator: " ")
    }
}
