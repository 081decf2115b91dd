import Primitives

/// What is wrong with a rule for claims, and where in the configuration.
package struct ClaimRuleError: Error, Hashable, Sendable {
    /// The rule of the language that was broken.
    package enum Problem: Hashable, Sendable {
        case notAnArray, notAnObject, notAText, notTextOrList
        case emptyList, emptyRule
        case unknownMember(allowed: String)
        case unknownDestination
        case tooMany(limit: Int)
        case textTooLong(limit: Int)
        case protectedClaim
        case setAndRemoved
        case null
        case badClaimName
        case strayBrace
        case emptyPath
        case unknownRoot
        case rootHasNoMembers
        case requestNeedsAParameter
        case secretParameter
        case tooDeep(limit: Int)
    }

    package let path: JSONPath
    package let problem: Problem

    package init(_ problem: Problem, at path: JSONPath) {
        self.problem = problem
        self.path = path
    }
}

extension ClaimRuleError: CustomStringConvertible {
    package var description: String { "\(path): \(problem)" }
}

extension ClaimRuleError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAnArray: "must be an array"
        case .notAnObject: "must be an object"
        case .notAText: "must be a string"
        case .notTextOrList: "must be a string, an array of strings, or {\"not\": either}"
        case .emptyList: "must not be empty"
        case .emptyRule: "a rule needs set or remove"
        case .unknownMember(let allowed): "unknown; there are \(allowed)"
        case .unknownDestination: "must be access_token, id_token or userinfo"
        case .tooMany(let limit): "has more than \(limit) entries"
        case .textTooLong(let limit): "is longer than \(limit) bytes"
        case .protectedClaim:
            "belongs to the protocol, and no rule changes it; to break a token on purpose, override the next responses"
        case .setAndRemoved: "is both set and removed by one rule"
        case .null: "a claim is not null; use remove to leave it out"
        case .badClaimName: "the name of a claim has 1 to \(ClaimRules.maximumNameByteCount) bytes"
        case .strayBrace: "a brace is written twice, {{ or }}, where it does not hold a path"
        case .emptyPath: "a path is made of names with a period between two"
        case .unknownRoot: "a path begins with user, client, tenant, grant, scope or request"
        case .rootHasNoMembers: "tenant, grant and scope have nothing within them"
        case .requestNeedsAParameter: "request is followed by the name of one parameter: request.login_hint"
        case .secretParameter: "this parameter holds a secret or a token, which do not belong into claims"
        case .tooDeep(let limit): "is nested more than \(limit) deep"
        }
    }
}
