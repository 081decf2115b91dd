import OAuth
import Primitives

/// Families, and the logins that they belong to, as texts that other programs draw. No secret is in them.
package struct FamilyGraph: Sendable {
    private let families: [Family]
    private let trees: [FamilyTree]

    package init(_ families: [Family], in context: ProviderContext) {
        self.families = families
        trees = families.map { FamilyTree($0, at: context.clock.now()) }
    }

    /// What it is written as.
    enum Format: String, Sendable, CaseIterable {
        case json, dot, mermaid

        var mediaType: String {
            switch self {
            case .json: "application/json"
            case .dot: "text/vnd.graphviz"
            case .mermaid: "text/vnd.mermaid"
            }
        }
    }

    private func title(of family: Family) -> String {
        let end = family.ended.map { ", \($0.reason.rawValue) at \($0.moment)" } ?? ""
        return "\(family.terms.clientID) for \(family.terms.userID)\(end)"
    }

    private var logins: [String] {
        var logins: [String] = []
        for login in families.compactMap(\.terms.loginID?.text) where !logins.contains(where: { sameText($0, login) }) {
            logins.append(login)
        }
        return logins
    }

    private func earlier(_ tree: FamilyTree) -> String? {
        tree.earlierCount > 0 ? "\(tree.earlierCount) before, spent" : nil
    }

    // MARK: Graphviz

    package var dot: String {
        var text = "digraph families {\n  rankdir=LR;\n  node [shape=circle, fontname=\"sans-serif\"];\n"
        for (index, login) in logins.enumerated() {
            text += "  login\(index) [shape=box, label=\(Self.quoted("login \(login)"))];\n"
        }
        for (index, family) in families.enumerated() { text += dot(of: family, index) }
        return text + "}\n"
    }

    private func dot(of family: Family, _ index: Int) -> String {
        let tree = trees[index]
        let name = "f\(index)"
        var text = "  subgraph cluster_\(name) {\n    label=\(Self.quoted(title(of: family)));\n"
        text += "    \(name) [shape=box, label=\(Self.quoted("family \(family.id)"))];\n"
        if let earlier = earlier(tree) {
            text += "    \(name)_0 [shape=plaintext, label=\(Self.quoted(earlier))];\n    \(name) -> \(name)_0;\n"
        }
        if tree.nodes.contains(where: \.isParentForgotten) {
            text += "    \(name)_x [shape=plaintext, label=\(Self.quoted(Self.forgotten))];\n"
        }
        let told = Set(tree.nodes.map(\.number))
        for node in tree.nodes {
            let style =
                switch node.state {
                case .live: "style=filled, fillcolor=palegreen"
                case .spent: "style=dashed"
                case .ended: "style=filled, fillcolor=lightgrey"
                }
            text +=
                "    \(name)_\(node.number) [label=\(Self.quoted("\(node.number) \(node.state.rawValue)")), \(style)];\n"
            let edge = node.isParentForgotten ? " [style=dotted]" : ""
            text += "    \(parent(of: node, told, tree, name)) -> \(name)_\(node.number)\(edge);\n"
        }
        text += "  }\n"
        if let login = family.terms.loginID, let place = logins.firstIndex(where: { sameText($0, login.text) }) {
            text += "  login\(place) -> \(name);\n"
        }
        return text
    }

    private func parent(of node: FamilyTree.Node, _ told: Set<UInt32>, _ tree: FamilyTree, _ name: String) -> String {
        if let parent = node.parent, told.contains(parent) { return "\(name)_\(parent)" }
        if node.isParentForgotten { return "\(name)_x" }
        return node.parent != nil ? "\(name)_0" : name
    }

    /// What those hang on that have replaced a token of which nobody remembers which it was.
    private static let forgotten = "not remembered"

    /// Names of clients and users come from outside: none of them ends the text that it stands in.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            default: quoted.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
            }
        }
        return quoted + "\""
    }

    // MARK: Mermaid

    package var mermaid: String {
        var text = "flowchart LR\n"
        for (index, login) in logins.enumerated() { text += "  login\(index)[\(Self.entities("login \(login)"))]\n" }
        for (index, family) in families.enumerated() { text += mermaid(of: family, index) }
        text += "  classDef live fill:#98fb98\n  classDef spent stroke-dasharray:4\n  classDef ended fill:#d3d3d3\n"
        return text
    }

    private func mermaid(of family: Family, _ index: Int) -> String {
        let tree = trees[index]
        let name = "f\(index)"
        var text = "  subgraph s\(index)[\(Self.entities(title(of: family)))]\n"
        text += "    \(name)[\(Self.entities("family \(family.id)"))]\n"
        if let earlier = earlier(tree) { text += "    \(name) --> \(name)_0[\(Self.entities(earlier))]\n" }
        if tree.nodes.contains(where: \.isParentForgotten) {
            text += "    \(name)_x[\(Self.entities(Self.forgotten))]\n"
        }
        let told = Set(tree.nodes.map(\.number))
        for node in tree.nodes {
            let label = Self.entities("\(node.number) \(node.state.rawValue)")
            let edge = node.isParentForgotten ? "-.->" : "-->"
            text +=
                "    \(parent(of: node, told, tree, name)) \(edge) \(name)_\(node.number)((\(label))):::\(node.state.rawValue)\n"
        }
        text += "  end\n"
        if let login = family.terms.loginID, let place = logins.firstIndex(where: { sameText($0, login.text) }) {
            text += "  login\(place) --> \(name)\n"
        }
        return text
    }

    /// Whatever is no letter, digit or space is written as an entity, so that nothing in a name means anything.
    private static func entities(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || scalar == " " || scalar.properties.numericType != nil
            if isPlain { quoted.unicodeScalars.append(scalar) } else { quoted += "#\(scalar.value);" }
        }
        return quoted + "\""
    }
}
