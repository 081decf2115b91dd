import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// Who may use the control API.
@Suite struct ControlGateTests {
    @Test func letsAProgramOfThisMachineIn() async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", "/clock").status == 200)
    }

    @Test func refusesAnotherMachine() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("GET", "/users", peer: .elsewhere)
        #expect(answer.status == 403)
        #expect(answer.error == "access_denied")
    }

    @Test(arguments: [
        "https://evil.example", "http://localhost.evil.example", "null", "http://127.0.0.1.evil.example",
        "http://localhost:3000, https://evil.example", "file://",
    ])
    func refusesPagesOfOthers(_ origin: String) async throws {
        let secrets = [nil, "Bearer wrong", "Basic \(ControlUnderTest.secret)"]
        for (policy, secret) in [(ControlPolicy.loopback, "Bearer \(ControlUnderTest.secret)")]
            + secrets.map({ (ControlUnderTest.secretPolicy, $0) })
        {
            let control = try await ControlUnderTest(policy)
            var fields: HTTPFields = [.origin: origin]
            fields[.authorization] = secret
            #expect(await control.call("POST", "/clock/freeze", also: fields).status == 403)
            #expect(!control.context.clock.isFrozen)
        }
    }

    /// Whoever has the secret may say `Origin` as he likes. A page may not even ask, and could not read the answer.
    @Test(arguments: ["https://ci.example", "http://localhost.evil.example", "null"], [nil, "cross-site"])
    func takesTheSecretWithAnOriginAndTellsPagesNothing(_ origin: String, _ site: String?) async throws {
        let control = try await ControlUnderTest(ControlUnderTest.secretPolicy)
        var fields: HTTPFields = [.origin: origin, .authorization: "Bearer \(ControlUnderTest.secret)"]
        if let site { fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site }
        let answer = await control.call("POST", "/clock/freeze", also: fields, host: "idp.example", peer: .elsewhere)
        #expect(answer.status == 200)
        #expect(control.context.clock.isFrozen)
        #expect(answer.field("Access-Control-Allow-Origin") == nil)
        fields[.authorization] = nil
        let ahead = await control.call("OPTIONS", "/clock/freeze", also: fields)
        #expect(ahead.field("Access-Control-Allow-Origin") == nil)
        #expect(ahead.field("Access-Control-Allow-Headers") == nil)
    }

    @Test func refusesRequestsThatABrowserMarksAsCrossSite() async throws {
        let control = try await ControlUnderTest()
        let field = HTTPFields([HTTPField(name: .init("Sec-Fetch-Site")!, value: "cross-site")])
        #expect(await control.call("GET", "/users", also: field).status == 403)
        let own = HTTPFields([HTTPField(name: .init("Sec-Fetch-Site")!, value: "same-site")])
        #expect(await control.call("GET", "/users", also: own).status == 200)
    }

    /// To a browser `localhost` and `127.0.0.1` are two sites, and to us one machine.
    @Test(
        arguments: ["http://localhost:3000", "http://127.0.0.1", "http://app.localhost:5173", "http://[::1]:80"],
        [nil, "cross-site", "same-site"])
    func letsPagesOfThisMachineInAndLetsThemRead(_ origin: String, _ site: String?) async throws {
        let control = try await ControlUnderTest()
        var fields: HTTPFields = [.origin: origin]
        if let site { fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site }
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            let answer = await control.call("GET", "/clock", also: fields, host: host)
            #expect(answer.status == 200)
            #expect(answer.field("Access-Control-Allow-Origin") != nil)
        }
    }

    /// What a browser is told ahead is what the API then does.
    @Test(
        arguments: [
            ["http://localhost:3000"], ["http://127.0.0.1:3000"], ["https://[::1]"], ["https://evil.example"],
            ["http://localhost.evil.example"], ["null"], ["http://localhost:3000", "https://evil.example"],
            ["http://localhost:3000, http://localhost:3001"], [],
        ], [nil, "cross-site", "same-site", "same-origin", "none"])
    func tellsABrowserAheadWhatItThenDoes(_ origins: [String], _ site: String?) async throws {
        let control = try await ControlUnderTest()
        var fields = HTTPFields()
        for origin in origins { fields.append(HTTPField(name: .origin, value: origin)) }
        if let site { fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site }
        let ahead = await control.call("OPTIONS", "/clock", also: fields)
        let answer = await control.call("GET", "/clock", also: fields)
        let mayRead = answer.field("Access-Control-Allow-Origin")
        #expect(ahead.field("Access-Control-Allow-Origin") == mayRead)
        guard !origins.isEmpty else { return #expect(answer.status == (site == "cross-site" ? 403 : 200)) }
        #expect((answer.status == 200) == (mayRead != nil))
    }

    /// DNS rebinding: the name is another's, the address is ours.
    @Test(arguments: ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "", nil])
    func refusesANameOfOthers(_ host: String?) async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", "/users", host: host).status == 403)
    }

    @Test(arguments: ["localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080", "192.0.2.1", "idp.localhost"])
    func isReachedByLocalNamesAndAddresses(_ host: String) async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", "/users", host: host).status == 200)
    }

    @Test func isReachedByTheNameOfTheFixedIssuer() async throws {
        let control = try await ControlUnderTest(issuer: .fixed(try Issuer("https://idp.example/base")))
        #expect(await control.call("GET", "/users", host: "idp.example", below: "/base/_pawl").status == 200)
        #expect(await control.call("GET", "/users", host: "other.example", below: "/base/_pawl").status == 403)
    }

    @Test(arguments: [
        "X-Forwarded-For", "Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via", "x-real-ip",
    ])
    func refusesWhatCameThroughAProxy(_ name: String) async throws {
        let control = try await ControlUnderTest()
        let fields = HTTPFields([HTTPField(name: .init(name)!, value: "for=192.0.2.7")])
        #expect(await control.call("GET", "/users", also: fields).status == 403)
    }

    @Test func takesTheSecretFromAnywhere() async throws {
        let control = try await ControlUnderTest(ControlUnderTest.secretPolicy)
        let answer = await control.call(
            "GET", "/users", also: [.authorization: "Bearer \(ControlUnderTest.secret)"], host: "idp.example",
            peer: .elsewhere)
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        nil, "Bearer", "Bearer wrong", "Basic \(ControlUnderTest.secret)", "Bearer \(ControlUnderTest.secret)x",
        "DPoP \(ControlUnderTest.secret)",
    ])
    func refusesWhoeverHasNotTheSecret(_ authorization: String?) async throws {
        let control = try await ControlUnderTest(ControlUnderTest.secretPolicy)
        let fields: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
        let answer = await control.call("GET", "/users", also: fields)
        #expect(answer.status == 401)
        #expect(answer.field("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test func isNotThereWhenItIsOff() async throws {
        let control = try await ControlUnderTest(.off)
        #expect(await control.call("GET", "/users").status == 404)
        let document = try #require(await control.provider.get("/openapi.json").json)
        #expect(document["paths"]?.object?.names.contains { $0.hasPrefix("/_pawl") } == false)
    }

    /// A form of another site's page is sent without asking; JSON is not.
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", nil])
    func refusesABodyThatIsNotJSON(_ contentType: String?) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", "/clock", ["now": 1], contentType: contentType)
        #expect(answer.status == 415)
    }

    /// Our own notices to clients are forms, and go wherever a client has registered: not even an operation that reads no
    /// body runs by one.
    @Test(arguments: ["application/x-www-form-urlencoded", "text/plain", nil])
    func refusesAFormWhereNoBodyIsRead(_ contentType: String?) async throws {
        let control = try await ControlUnderTest()
        let form: JSON = ["logout_token": "x"]
        #expect(await control.call("POST", "/clock/freeze", form, contentType: contentType).status == 415)
        #expect(!control.context.clock.isFrozen)
        #expect(await control.call("POST", "/clock/freeze").status == 200)
        #expect(await control.call("POST", "/reset", form, contentType: contentType).status == 415)
        #expect(control.context.clock.isFrozen)
        #expect(await control.call("POST", "/reset").status == 204)
        #expect(!control.context.clock.isFrozen)
    }

    @Test func answersAPreflightWithTheMethodsOfThePath() async throws {
        let control = try await ControlUnderTest()
        let fields: HTTPFields = [.origin: "http://localhost:3000"]
        let answer = await control.call("OPTIONS", "/clock", also: fields)
        #expect(answer.status == 204)
        #expect(answer.field("Access-Control-Allow-Methods") == "GET, PUT, HEAD, OPTIONS")
        let stranger = await control.call("OPTIONS", "/clock", also: [.origin: "https://evil.example"])
        #expect(stranger.field("Access-Control-Allow-Origin") == nil)
    }

    @Test(arguments: ["/nothing", "/clock/", "/users/alice/more", "//clock"])
    func saysWhereThereIsNothing(_ path: String) async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", path).status == 404)
    }

    @Test func saysWhichMethodsAPathHas() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("DELETE", "/clock")
        #expect(answer.status == 405)
        #expect(answer.field("Allow") == "GET, PUT, HEAD, OPTIONS")
    }
}
