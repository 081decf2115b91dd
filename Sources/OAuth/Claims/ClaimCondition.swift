import Primitives

/// One line of `when`: a value of the context is one of some texts, or is none of them.
struct ClaimCondition: Hashable, Sendable {
    private let path: ClaimPath
    private let texts: [String]
    private let isNegated: Bool

    init(_ name: String, _ json: JSON, at place: JSONPath) throws(ClaimRuleError) {
        path = try ClaimPath(parsing: name, at: place)
        if case .object(let members) = json {
            for name in members.names where !sameText(name, "not") {
                throw .init(.unknownMember(allowed: "not"), at: place[name])
            }
            guard let negated = members["not"] else { throw .init(.notTextOrList, at: place) }
            isNegated = true
            texts = try Self.texts(negated, at: place["not"])
        } else {
            isNegated = false
            texts = try Self.texts(json, at: place)
        }
    }

    private static func texts(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> [String] {
        switch json {
        case .string, .number, .bool: return [json.plainText ?? ""]
        case .array(let elements):
            // An empty list would never hold, which nobody means.
            guard !elements.isEmpty else { throw .init(.emptyList, at: place) }
            guard elements.count <= ClaimRules.maximumEntryCount else {
                throw .init(.tooMany(limit: ClaimRules.maximumEntryCount), at: place)
            }
            var texts: [String] = []
            for (index, element) in elements.enumerated() {
                guard let text = element.plainText else { throw .init(.notAText, at: place[index]) }
                texts.append(text)
            }
            return texts
        case .null, .object: throw .init(.notTextOrList, at: place)
        }
    }

    /// A missing value is no text at all: a condition fails, its negation holds. Of a list, and of the scope, one
    /// element that fits is enough.
    func holds(in context: ClaimContext) -> Bool { hasText(in: context) != isNegated }

    private func hasText(in context: ClaimContext) -> Bool {
        if path.root == .scope { return texts.contains(where: context.scope.contains) }
        switch path.value(in: context) {
        case nil: return false
        case .array(let elements)?: return elements.contains { fits($0) }
        case let value?: return fits(value)
        }
    }

    private func fits(_ value: JSON) -> Bool {
        guard let text = value.plainText else { return false }
        return texts.contains { sameText($0, text) }
    }
}
