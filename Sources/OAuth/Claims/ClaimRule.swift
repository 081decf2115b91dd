import Primitives

/// One rule of the mapping language, checked and ready.
struct ClaimRule: Hashable, Sendable {
    private var conditions: [ClaimCondition] = []
    private var claims: [ClaimMember] = []
    private var removed: [String] = []
    private var destinations = Set(ClaimDestination.allCases)

    init(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) {
        guard case .object(let members) = json else { throw .init(.notAnObject, at: place) }
        for (name, value) in members {
            let place = place[name]
            switch name {
            case "when": conditions = try Self.conditions(value, at: place)
            case "set": claims = try Self.claims(value, at: place)
            case "remove": removed = try Self.removed(value, at: place)
            case "in": destinations = try Self.destinations(value, at: place)
            default: throw .init(.unknownMember(allowed: "when, set, remove and in"), at: place)
            }
        }
        guard !claims.isEmpty || !removed.isEmpty else { throw .init(.emptyRule, at: place) }
        for claim in claims where removed.contains(where: { sameText($0, claim.name) }) {
            throw .init(.setAndRemoved, at: place["set"][claim.name])
        }
    }

    func apply(to object: inout JSONObject, for context: ClaimContext) {
        guard destinations.contains(context.destination), conditions.allSatisfy({ $0.holds(in: context) }) else {
            return
        }
        // A claim that was there before goes too when its new value is missing: what the rule was to replace does not
        // show through.
        for claim in claims { object[claim.name] = claim.value.value(in: context) }
        for name in removed { object[name] = nil }
    }
}

extension ClaimRule {
    private static func conditions(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> [ClaimCondition] {
        var conditions: [ClaimCondition] = []
        for (name, value) in try entries(json, at: place) {
            conditions.append(try ClaimCondition(name, value, at: place[name]))
        }
        return conditions
    }

    private static func claims(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> [ClaimMember] {
        var claims: [ClaimMember] = []
        for (name, value) in try entries(json, at: place) {
            try check(name, at: place[name])
            claims.append(ClaimMember(name: name, value: try ClaimExpression(value, at: place[name])))
        }
        return claims
    }

    private static func removed(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> [String] {
        let names = try texts(json, at: place)
        for (index, name) in names.enumerated() { try check(name, at: place[index]) }
        return names
    }

    private static func destinations(
        _ json: JSON, at place: JSONPath
    ) throws(ClaimRuleError) -> Set<ClaimDestination> {
        var destinations: Set<ClaimDestination> = []
        for (index, name) in try texts(json, at: place).enumerated() {
            guard let destination = ClaimDestination.allCases.first(where: { sameText($0.rawValue, name) }) else {
                throw .init(.unknownDestination, at: place[index])
            }
            destinations.insert(destination)
        }
        guard !destinations.isEmpty else { throw .init(.emptyList, at: place) }
        return destinations
    }

    private static func check(_ name: String, at place: JSONPath) throws(ClaimRuleError) {
        guard (1...ClaimRules.maximumNameByteCount).contains(name.utf8.count) else {
            throw .init(.badClaimName, at: place)
        }
        guard !ClaimRules.protectedClaims.contains(name) else { throw .init(.protectedClaim, at: place) }
    }

    private static func entries(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> JSONObject {
        guard case .object(let members) = json else { throw .init(.notAnObject, at: place) }
        guard members.count <= ClaimRules.maximumEntryCount else {
            throw .init(.tooMany(limit: ClaimRules.maximumEntryCount), at: place)
        }
        return members
    }

    private static func texts(_ json: JSON, at place: JSONPath) throws(ClaimRuleError) -> [String] {
        guard case .array(let elements) = json else { throw .init(.notAnArray, at: place) }
        guard elements.count <= ClaimRules.maximumEntryCount else {
            throw .init(.tooMany(limit: ClaimRules.maximumEntryCount), at: place)
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard let text = element.string else { throw .init(.notAText, at: place[index]) }
            texts.append(text)
        }
        return texts
    }
}
