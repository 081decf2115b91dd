/// Something public of a source file, with the examples of its doc comment.
struct PublicDeclaration: Sendable {
    enum Kind {
        case type
        /// Or an initialiser.
        case function
        /// Values and cases are shown by the example of their type; operators, literals and what a protocol asks for, by
        /// whatever uses them.
        case other
    }

    let kind: Kind
    /// With the names of the types around it: `Cookie.Identity.init`.
    let name: String
    let path: String
    /// Of its line.
    let number: Int
    let examples: [Example]
    /// What stands behind the first parenthesis: `parsing text: String)`.
    private let parameters: Substring

    var place: String { "\(path):\(number): \(name)" }

    /// Whether it has an example, or stands in one of the type that it belongs to.
    func isShown(among all: [PublicDeclaration]) -> Bool {
        guard examples.isEmpty else { return true }
        let owners = all.filter { $0.kind == .type && name.hasPrefix($0.name + ".") }
        // A type within a type is the type of one of its values.
        return owners.flatMap(\.examples).contains { kind == .type || isCalled(in: $0) }
    }

    private func isCalled(in example: Example) -> Bool {
        let names = name.split(separator: ".")
        guard names.last == "init", let type = names.dropLast().last else {
            return example.words.contains(names.last ?? "")
        }
        let text = example.lines.joined(separator: " ").replacing("( ", with: "(")
        return text.ranges(of: "\(type)(").contains { call in
            Self.firstLabel(ofCall: text[call.upperBound...]) == Self.firstLabel(ofParameters: parameters)
        }
    }

    /// `nil`: there is no argument; empty: it has no label.
    private static func firstLabel(ofCall rest: Substring) -> Substring? {
        guard rest.first != ")" else { return nil }
        let word = rest.prefix { $0.isLetter || $0.isNumber }
        return rest.dropFirst(word.count).first == ":" ? word : ""
    }

    private static func firstLabel(ofParameters rest: Substring) -> Substring? {
        guard rest.first != ")" else { return nil }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return word == "_" ? "" : word
    }
}

extension PublicDeclaration {
    /// A type or an extension whose members are being read.
    private struct Surroundings {
        /// The formatter sees to it that it tells what is within.
        let indentation: Int
        let name: String
        let isPublicProtocol: Bool
        /// What the protocols behind its colon ask for.
        let askedFor: Set<String>
    }

    static func all(in file: SourceFile) -> [PublicDeclaration] {
        var found: [PublicDeclaration] = []
        var around: [Surroundings] = []
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "@") }
            let head = words.prefix { !keywords.contains($0) }
            let rest = words.dropFirst(head.count)
            guard !text.hasPrefix("//"), let keyword = rest.first,
                head.allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") })
            else { continue }
            let indentation = line.count - text.count
            around.removeAll { $0.indentation >= indentation }
            let own = keyword == "init" ? "init" : String(rest.dropFirst().first ?? "")
            if head.contains("public") || around.last?.isPublicProtocol ?? false {
                let isAsked = askedFor.contains { text.contains($0) } || around.last?.askedFor.contains(own) ?? false
                found.append(
                    PublicDeclaration(
                        kind: types.contains(keyword) ? .type : isAsked ? .other : kind(of: text, keyword),
                        name: (around.map(\.name) + [own]).joined(separator: "."), path: file.path, number: index + 1,
                        examples: Example.all(above: index, in: file), parameters: parameters(at: index, in: file)))
            }
            guard types.contains(keyword) || keyword == "extension" else { continue }
            around.append(
                Surroundings(
                    indentation: indentation, name: own,
                    isPublicProtocol: head.contains("public") && keyword == "protocol",
                    askedFor: rest.dropFirst(2).reduce(into: []) { $0.formUnion(requirements[$1] ?? []) }))
        }
        return found
    }

    /// From where they begin, on the line of the declaration or, where it is broken, on the next.
    private static func parameters(at index: Int, in file: SourceFile) -> Substring {
        guard let open = file.lines[index].firstIndex(of: "(") else { return "" }
        let rest = file.lines[index][open...].dropFirst()
        return rest.isEmpty && index + 1 < file.lines.count ? file.lines[index + 1].drop { $0 == " " } : rest
    }

    /// Of what is no type. An operator is no function of which one has to be told.
    private static func kind(of text: Substring, _ keyword: Substring) -> Kind {
        guard keyword == "func" else { return keyword == "init" ? .function : .other }
        return text.split(separator: "func ").last?.first?.isLetter ?? false ? .function : .other
    }

    private static let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
    private static let keywords = types.union([
        "extension", "func", "init", "var", "let", "case", "subscript", "typealias",
    ])
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "set", "static", "final", "indirect", "mutating",
        "nonisolated", "convenience", "required", "override", "isolated",
    ]

    /// By protocols of the standard library.
    private static let askedFor = [
        "Literal", "func hash(into ", "func encode(to ", "init(from decoder", "init(rawValue:", "func next()",
        "func makeIterator()",
    ]
    /// By our own, whose examples show them: what a type has for their sake.
    private static let requirements: [Substring: Set<String>] = {
        var found: [Substring: Set<String>] = [:]
        for file in SourceTree.sources {
            var open: Substring?
            for line in file.lines {
                if line.hasPrefix("public protocol ") {
                    open = line.dropFirst(16).prefix { $0.isLetter || $0.isNumber }
                }
                if line == "}" { open = nil }
                guard let open, line.hasPrefix("    func ") else { continue }
                found[open, default: []].insert(String(line.dropFirst(9).prefix { $0 != "(" }))
            }
        }
        return found
    }()
}
