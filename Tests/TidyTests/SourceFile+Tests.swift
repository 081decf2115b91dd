extension SourceFile {
    /// Its tests, by the type that they are in: `Suite/function`.
    var testNames: Set<String> {
        var names: Set<String> = []
        var type = ""
        var isTest = false
        for line in lines {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "@" || $0 == "_") }
            if line.first != " ",
                let kind = words.firstIndex(where: { ["struct", "extension", "class", "actor"].contains($0) })
            {
                type = words.count > kind + 1 ? String(words[kind + 1]) : ""
            }
            if words.contains("@Test") { isTest = true }
            if isTest, let function = words.firstIndex(of: "func"), words.count > function + 1 {
                names.insert("\(type)/\(words[function + 1])")
                isTest = false
            }
        }
        return names
    }
}
