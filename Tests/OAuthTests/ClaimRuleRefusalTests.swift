import OAuth
import Primitives
import Testing

@Suite struct ClaimRuleRefusalTests {
    private func refusal(_ rules: JSON) -> String? {
        do {
            _ = try ClaimRules(parsing: rules, at: .root["claims"])
            return nil
        } catch { return "\(error.path): \(error.problem)" }
    }

    private func setting(_ name: String) -> JSON {
        var claims = JSONObject()
        claims[name] = 1
        return [["set": .object(claims)]]
    }

    private static let rule = JSONPath.root["claims"][0]
    typealias Problem = ClaimRuleError.Problem

    private static let shapes: [(JSON, JSONPath, Problem)] = [
        ([:], .root["claims"], .notAnArray), (nil, .root["claims"], .notAnArray), ([1], rule, .notAnObject),
        ([[:]], rule, .emptyRule), ([["when": ["user": "a"]]], rule, .emptyRule),
        ([["set": [:], "remove": []]], rule, .emptyRule),
        ([["sett": [:]]], rule["sett"], .unknownMember(allowed: "when, set, remove and in")),
        (
            [["set": ["x": 1]], ["Set": [:]]], .root["claims"][1]["Set"],
            .unknownMember(allowed: "when, set, remove and in")
        ),
        ([["set": []]], rule["set"], .notAnObject), ([["remove": "x"]], rule["remove"], .notAnArray),
        ([["remove": ["x", 1]]], rule["remove"][1], .notAText),
        ([["set": ["x": 1], "when": []]], rule["when"], .notAnObject),
        ([["set": ["x": 1], "in": "id_token"]], rule["in"], .notAnArray),
        ([["set": ["x": 1], "in": []]], rule["in"], .emptyList),
        ([["set": ["x": 1], "in": ["id_token", "idtoken"]]], rule["in"][1], .unknownDestination),
        ([["set": ["x": 1], "remove": ["x"]]], rule["set"]["x"], .setAndRemoved),
        ([["set": ["": 1]]], rule["set"][""], .badClaimName), ([["remove": [""]]], rule["remove"][0], .badClaimName),
        ([["set": ["x": nil]]], rule["set"]["x"], .null), ([["set": ["x": ["a", nil]]]], rule["set"]["x"][1], .null),
        ([["set": ["x": ["value": nil]]]], rule["set"]["x"]["value"], .null),
    ]

    @Test(arguments: shapes)
    func refusesWhatIsNoRule(rules: JSON, path: JSONPath, problem: Problem) {
        #expect(throws: ClaimRuleError(problem, at: path)) { try ClaimRules(parsing: rules, at: .root["claims"]) }
    }

    @Test(arguments: ClaimRules.protectedClaims.sorted())
    func refusesToTouchWhatBelongsToTheProtocol(name: String) {
        let problem =
            "belongs to the protocol, and no rule changes it; to break a token on purpose, override the next responses"
        #expect(refusal(setting(name)) == "claims[0].set.\(name): \(problem)")
        #expect(refusal([["remove": [.string(name)]]]) == "claims[0].remove[0]: \(problem)")
    }

    @Test func theProtectedClaimsAreThoseOfTheStandards() {
        for name in [
            "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "nonce", "at_hash", "c_hash", "azp", "cnf", "sid",
        ] {
            #expect(ClaimRules.protectedClaims.contains(name))
        }
        for name in ["acr", "amr", "roles", "email"] { #expect(!ClaimRules.protectedClaims.contains(name)) }
    }

    private static let templates: [(String, Problem)] = [
        ("{", .strayBrace), ("}", .strayBrace), ("a{b", .strayBrace), ("a}b", .strayBrace), ("{{{", .strayBrace),
        ("{{}", .strayBrace), ("{user}}", .strayBrace), ("{}", .emptyPath), ("{.}", .emptyPath),
        ("{user.}", .emptyPath),
        ("{.user}", .emptyPath), ("{user..name}", .emptyPath), ("{User}", .unknownRoot), ("{ user }", .unknownRoot),
        ("{claims.sub}", .unknownRoot), ("{user name}", .unknownRoot), ("{a{user}}", .unknownRoot),
        ("{tenant.name}", .rootHasNoMembers), ("{scope.0}", .rootHasNoMembers), ("{grant.x}", .rootHasNoMembers),
        ("{request}", .requestNeedsAParameter), ("{request.a.b}", .requestNeedsAParameter),
        ("{request.password}", .secretParameter), ("{request.client_secret}", .secretParameter),
        ("{request.refresh_token}", .secretParameter), ("{request.code}", .secretParameter),
        ("{request.code_verifier}", .secretParameter), ("{request.client_assertion}", .secretParameter),
        ("{user.a.b.c.d.e.f.g.h}", .tooDeep(limit: 8)),
    ]

    @Test(arguments: templates)
    func refusesAMalformedTemplate(text: String, problem: Problem) {
        #expect(throws: ClaimRuleError(problem, at: .root[0]["set"]["x"])) {
            try ClaimRules(parsing: [["set": ["x": .string(text)]]])
        }
        #expect(throws: ClaimRuleError(problem, at: .root[0]["set"]["x"][0]["y"])) {
            try ClaimRules(parsing: [["set": ["x": [["y": .string(text)]]]]])
        }
    }

    private static let copies: [(JSON, JSONPath, Problem)] = [
        (["from": 1], .root["from"], .notAText), (["from": nil], .root["from"], .notAText),
        (["from": ["user", 1]], .root["from"][1], .notAText), (["from": []], .root["from"], .emptyPath),
        (["from": ""], .root["from"], .emptyPath), (["from": "{user}"], .root["from"], .unknownRoot),
        (["from": "usr.name"], .root["from"], .unknownRoot),
        (["from": "request.assertion"], .root["from"], .secretParameter),
        (["from": ["request", "password"]], .root["from"], .secretParameter),
        (["from": "user.x", "defualt": 1], .root["defualt"], .unknownMember(allowed: "from and default")),
        (["from": "user.x", "default": nil], .root["default"], .null),
        (["from": "user.x", "default": "{"], .root["default"], .strayBrace),
    ]

    @Test(arguments: copies)
    func refusesAMalformedCopy(expression: JSON, path: JSONPath, problem: Problem) {
        let whole = JSONPath(JSONPath.root[0]["set"]["x"].steps + path.steps)
        #expect(throws: ClaimRuleError(problem, at: whole)) { try ClaimRules(parsing: [["set": ["x": expression]]]) }
    }

    private static let conditions: [(JSON, JSONPath, Problem)] = [
        (["user": nil], .root["user"], .notTextOrList), (["user": []], .root["user"], .emptyList),
        (["user": [nil]], .root["user"][0], .notAText), (["user": [["a"]]], .root["user"][0], .notAText),
        (["user": [:]], .root["user"], .notTextOrList), (["user": ["not": []]], .root["user"]["not"], .emptyList),
        (["user": ["nor": "a"]], .root["user"]["nor"], .unknownMember(allowed: "not")),
        (["user": ["not": ["not": "a"]]], .root["user"]["not"], .notTextOrList),
        (["usr": "a"], .root["usr"], .unknownRoot), (["": "a"], .root[""], .emptyPath),
        (["token": "a"], .root["token"], .unknownRoot), (["request": "a"], .root["request"], .requestNeedsAParameter),
        (["request.password": "a"], .root["request.password"], .secretParameter),
        (["tenant.x": "a"], .root["tenant.x"], .rootHasNoMembers),
    ]

    @Test(arguments: conditions)
    func refusesAMalformedCondition(when: JSON, path: JSONPath, problem: Problem) {
        let whole = JSONPath(JSONPath.root[0]["when"].steps + path.steps)
        #expect(throws: ClaimRuleError(problem, at: whole)) {
            try ClaimRules(parsing: [["when": when, "set": ["x": 1]]])
        }
    }

    @Test func holdsEachLimitExactly() {
        func rules(_ count: Int) -> JSON { .array(Array(repeating: ["remove": ["x"]], count: count)) }
        #expect(refusal(rules(ClaimRules.maximumRuleCount)) == nil)
        #expect(refusal(rules(ClaimRules.maximumRuleCount + 1)) == "claims: has more than 256 entries")

        func texts(_ count: Int) -> JSON { .array((0..<count).map { .string("x\($0)") }) }
        #expect(refusal([["remove": texts(64)]]) == nil)
        #expect(refusal([["remove": texts(65)]]) == "claims[0].remove: has more than 64 entries")
        #expect(refusal([["when": ["user": texts(64)], "remove": ["x"]]]) == nil)
        #expect(
            refusal([["when": ["user": texts(65)], "remove": ["x"]]]) == "claims[0].when.user: has more than 64 entries"
        )

        func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
        #expect(refusal([["set": ["x": text(4096)]]]) == nil)
        #expect(refusal([["set": ["x": text(4097)]]]) == "claims[0].set.x: is longer than 4096 bytes")
        #expect(refusal([["set": ["x": ["from": text(4097)]]]]) == "claims[0].set.x.from: is longer than 4096 bytes")
        #expect(refusal([["remove": [text(256)]]]) == nil)
        #expect(refusal([["remove": [text(257)]]])?.hasPrefix("claims[0].remove[0]: the name of a claim") == true)

        func values(_ count: Int) -> JSON { .string(String(repeating: "{user}", count: count)) }
        #expect(refusal([["set": ["x": values(32)]]]) == nil)
        #expect(refusal([["set": ["x": values(33)]]]) == "claims[0].set.x: has more than 32 entries")

        func nested(_ depth: Int) -> JSON { (0..<depth).reduce(1) { inner, _ in [inner] } }
        #expect(refusal([["set": ["x": nested(7)]]]) == nil)
        #expect(refusal([["set": ["x": nested(8)]]])?.hasSuffix("is nested more than 8 deep") == true)
    }
}
