import OAuth
import Primitives

/// Rules for claims are refused where they are wrong, leave alone what belongs to the protocol, and say the same twice.
enum ClaimRuleProperties {
    private static let contexts = ClaimDestination.allCases.map { destination in
        ClaimContext(
            destination: destination, tenant: "t", grant: "password",
            scope: (try? Scope(parsing: "openid email")) ?? .empty,
            client: "web", clientProperties: ["name": "Web", "list": ["a", 1, ["b": true]]], user: "alice",
            userClaims: ["name": "Alice", "emails": ["a@example.com"], "address": ["country": "KR"], "a.b": 1.50],
            request: FormParameters([("login_hint", "al{ice}"), ("username", "alice")]))
    }
    private static let before: JSONObject = [
        "sub": "s-1", "iss": "http://localhost", "aud": ["web"], "exp": 2, "nonce": "n", "name": "before", "roles": [],
    ]

    static func check(_ input: Span<UInt8>) {
        guard let json = try? JSON(parsing: input) else { return }
        let problems = ClaimRules.problems(in: json)
        do throws(ClaimRuleError) {
            let rules = try ClaimRules(parsing: json)
            require(problems.isEmpty, "rules without a problem are read")
            check(rules, json)
        } catch {
            require(problems.contains(error), "what refuses rules is among their problems")
        }
        for problem in problems {
            require(
                JSON.place(of: problem.path, in: input) != nil, "a problem is somewhere in the text")
            require(problem.problem.description.utf8.count < 256, "a problem repeats nothing of the rules")
        }
    }

    private static func check(_ rules: ClaimRules, _ json: JSON) {
        require(rules.json == json, "rules stay as they were written")
        require((try? ClaimRules(parsing: rules.json)) == rules, "written rules read back the same")
        for context in contexts {
            var claims = before
            rules.apply(to: &claims, for: context)
            for name in ClaimRules.protectedClaims {
                require(claims[name] == before[name], "no rule touches what belongs to the protocol")
            }
            var again = before
            rules.apply(to: &again, for: context)
            require(again == claims, "rules say the same twice")
            require((try? JSON(parsing: JSON.object(claims).serialised().span, limits: wide)) != nil, "claims are JSON")
        }
    }

    private static let wide = JSONLimits(bytes: 1 << 26, depth: 256, stringBytes: 1 << 24)
}
