import OAuth
import Primitives
import Testing

@Suite struct ClaimRulesTests {
    private func context(
        _ destination: ClaimDestination = .accessToken, user: String? = "alice", scope: String? = "openid admin",
        request: [(name: String, value: String)] = [("login_hint", "a@b.example"), ("big", "x")]
    ) throws -> ClaimContext {
        ClaimContext(
            destination: destination, tenant: "blue", grant: "authorization_code",
            scope: try scope.map { try Scope(parsing: $0) } ?? .empty, client: "web",
            clientProperties: ["name": "The web", "id": "forged", "first_party": true], user: user,
            userClaims: [
                "name": "Alice {x}", "age": 42, "active": true, "nothing": nil, "emails": ["a@x", "b@x"],
                "address": ["country": "KR", "lines": ["1", "2"]], "https://x.example/r": ["boss"],
            ], request: FormParameters(request))
    }

    private func claims(
        _ rules: JSON, from claims: JSONObject = [:], _ context: ClaimContext
    ) throws -> JSON {
        var claims = claims
        try ClaimRules(parsing: rules).apply(to: &claims, for: context)
        return .object(claims)
    }

    @Test func setsWhatTheRuleSays() throws {
        let rules: JSON = [
            [
                "when": ["client": "web", "scope": "admin", "grant": "authorization_code", "user": "alice"],
                "set": [
                    "roles": ["admin"], "greeting": "Hello {user.name}", "level": 3, "beta": true,
                    "department": ["from": "user.department", "default": "none"],
                    "emails": ["from": "user.emails"],
                ], "remove": ["phone"], "in": ["access_token", "id_token"],
            ]
        ]
        let start: JSONObject = ["sub": "alice", "phone": "1", "level": 1]
        #expect(
            try claims(rules, from: start, context()) == [
                "sub": "alice", "roles": ["admin"], "greeting": "Hello Alice {x}", "level": 3, "beta": true,
                "department": "none", "emails": ["a@x", "b@x"],
            ])
        #expect(try claims(rules, from: start, context(.userinfo)) == .object(start))
        #expect(try claims(rules, from: start, context(user: "bob")) == .object(start))
    }

    @Test(arguments: [
        ("{user}", "alice"), ("{client}", "web"), ("{client.id}", "web"), ("{client.name}", "The web"),
        ("{client.first_party}", "true"), ("{tenant}", "blue"), ("{grant}", "authorization_code"),
        ("{scope}", "openid admin"), ("{request.login_hint}", "a@b.example"), ("{user.age}", "42"),
        ("{user.emails.1}", "b@x"), ("{user.address.country}", "KR"), ("{user.address.lines.0}", "1"),
        ("{{user}}", "{user}"), ("{{{user}}}", "{alice}"), ("}}{{", "}{"), ("", ""), ("é{user}🐾", "éalice🐾"),
        ("{user}{user}", "alicealice"), ("plain", "plain"),
    ])
    func fillsInATemplate(template: String, text: String) throws {
        #expect(try claims([["set": ["x": .string(template)]]], context()) == ["x": .string(text)])
    }

    /// What is missing, and what is no text, leaves the claim out; nothing that was there before shows through.
    @Test(arguments: [
        "{user.missing}", "a {user.missing} b", "{user.nothing}", "{user.emails}", "{user.address}", "{user.emails.2}",
        "{user.emails.-1}", "{user.emails.x}", "{user.emails.99999999999999999999}", "{user.name.x}", "{user.Name}",
        "{client.missing}", "{request.missing}", "{user.age.0}", "{request.Login_hint}",
    ])
    func leavesOutWhatIsMissing(template: String) throws {
        #expect(try claims([["set": ["x": .string(template)]]], from: ["x": "old", "y": 1], context()) == ["y": 1])
    }

    @Test(
        arguments: [
            (["from": "user.age"], 42), (["from": "user.address"], ["country": "KR", "lines": ["1", "2"]]),
            (["from": ["user", "https://x.example/r"]], ["boss"]), (["from": "user.nothing", "default": 0], 0),
            (["from": "user.missing", "default": "{tenant}!"], "blue!"),
            (["from": "user.missing", "default": ["from": "user.too", "default": ["a"]]], ["a"]),
            (["value": "{user}"], "{user}"), (["value": ["from": "x"]], ["from": "x"]),
            (["value": 1, "unit": "m"], ["value": 1, "unit": "m"]), ([], []), ([:], [:]),
            (["a": ["b": "{user}", "c": "{user.missing}"]], ["a": ["b": "alice"]]),
            (["{user}", "{user.missing}", ["from": "user.age"], 1], ["alice", 42, 1]),
        ] as [(JSON, JSON)])
    func evaluates(expression: JSON, value: JSON) throws {
        #expect(try claims([["set": ["x": expression]]], context()) == ["x": value])
    }

    @Test(
        arguments: [
            [:], ["client": "web"], ["client": ["app", "web"]], ["client": ["not": "app"]], ["scope": "openid"],
            ["scope": ["x", "admin"]], ["scope": ["not": ["x", "y"]]], ["user.age": 42], ["user.age": "42"],
            ["user.active": true], ["user.emails": "b@x"], ["user.missing": ["not": "x"]], ["tenant": "blue"],
            ["request.login_hint": "a@b.example"], ["user.address.country": ["JP", "KR"]],
            ["client": "web", "user": "alice"],
        ] as [JSON])
    func aRuleAppliesWhenEachLineHolds(when: JSON) throws {
        #expect(try claims([["when": when, "set": ["x": 1]]], context()) == ["x": 1])
    }

    @Test(
        arguments: [
            ["client": "app"], ["client": "WEB"], ["client": "we"], ["client": ["not": "web"]],
            ["client": ["not": ["app", "web"]]], ["scope": "openid admin"], ["scope": "adm"],
            ["scope": ["not": ["x", "openid"]]], ["user.age": "43"], ["user.age": 42.0], ["user.active": false],
            ["user.missing": "x"], ["user.missing": ""], ["user.address": "KR"], ["user.emails": ["not": "a@x"]],
            ["client": "web", "user": "bob"], ["client": "app", "user": "alice"], ["client.id": "forged"],
        ] as [JSON])
    func aRuleDoesNotApplyWhenOneLineFails(when: JSON) throws {
        #expect(try claims([["when": when, "set": ["x": 1]]], context()) == [:])
    }

    @Test func withoutAUserThereIsNothingOfOne() throws {
        let context = try context(user: nil)
        #expect(try claims([["set": ["x": "{user}", "y": ["from": "user.name"]]]], context) == [:])
        #expect(try claims([["when": ["user": "alice"], "set": ["x": 1]]], context) == [:])
        #expect(try claims([["when": ["user": ["not": "alice"]], "set": ["x": 1]]], context) == ["x": 1])
    }

    @Test func withoutAScopeThereIsNone() throws {
        let context = try context(scope: nil)
        #expect(try claims([["set": ["x": "{scope}"]]], context) == [:])
        #expect(try claims([["when": ["scope": "openid"], "set": ["x": 1]]], context) == [:])
    }

    @Test func laterRulesWin() throws {
        let rules: JSON = [["set": ["x": 1, "y": 1]], ["set": ["x": 2]], ["remove": ["y"]]]
        #expect(try claims(rules, context()) == ["x": 2])
    }

    /// What users and strangers hold is data, never a template.
    @Test func bracesInValuesStayAsTheyAre() throws {
        let context = try context(request: [("login_hint", "{user.age}{{")])
        #expect(try claims([["set": ["x": "{request.login_hint}"]]], context) == ["x": "{user.age}{{"])
    }

    /// A stranger's parameter does not make tokens long.
    @Test func leavesOutALongParameter() throws {
        let rules: JSON = [["set": ["x": "{request.big}"]]]
        let longest = String(repeating: "x", count: 1024)
        #expect(try claims(rules, context(request: [("big", longest)])) == ["x": .string(longest)])
        #expect(try claims(rules, context(request: [("big", longest + "x")])) == [:])
    }

    @Test func withoutRulesNotEvenTheContextIsMade() throws {
        func never() -> ClaimContext {
            Issue.record("made")
            fatalError()
        }
        var claims: JSONObject = ["x": 1]
        ClaimRules.none.apply(to: &claims, for: never())
        try ClaimRules(parsing: []).apply(to: &claims, for: never())
        #expect(claims == ["x": 1])
    }
}
