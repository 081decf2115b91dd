import HTTPMessages
import IdentityProvider
import OAuth
import Testing

@Suite("Which pages may read what a client is answered")
struct CrossOriginTests {
    static let ofThisMachine = [
        "http://localhost", "http://localhost:3000", "https://localhost:8443", "http://app.localhost:5173",
        "http://a.b.localhost", "http://127.0.0.1:3000", "https://127.0.0.1", "http://127.255.255.254:1",
        "http://[::1]:3000", "https://[::1]",
    ]

    static let ofOthers = [
        "null", "", "*", "any", "localhost", "localhost:3000", "//localhost", "http://", "http://:3000",
        "https://evil.example", "http://192.168.0.1", "http://10.0.0.1:3000", "http://0.0.0.0", "http://[::]",
        "http://[::2]:3000", "http://[::ffff:127.0.0.1]", "http://[fe80::1%25lo]", "http://128.0.0.1",
        "http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://evil.example.localhost.example",
        "http://notlocalhost", "http://.localhost", "http://a..localhost", "http://localhost.", "http://127.1",
        "http://127.0.0.1.", "http://127.0.0.256", "http://127.0.0.01", "http://127.0.0.0x1", "http://127.0.0",
        "http://2130706433", "http://localhost@evil.example", "http://user@localhost", "http://user:x@localhost:3000",
        "http://evil.example#@localhost", "http://evil.example?localhost", "http://localhost/", "http://localhost/x",
        "http://localhost\\.evil.example", "http://localhost:", "http://localhost:0", "http://localhost:65536",
        "http://localhost:x", "http://localhost:80:80", "http://local host", " http://localhost", "http://localhost ",
        "HTTP://localhost", "ftp://localhost", "file://localhost", "file://", "chrome-extension://localhost",
        "http://loc%61lhost", "http://ｌocalhost", "http://localhost, http://localhost",
        "http://localhost http://evil.example",
    ]

    private func token(_ idp: ProviderUnderTest, from origin: String, basic: String = "service:secret") async -> Answer
    {
        await idp.token("grant_type=client_credentials", basic: basic, also: [.origin: origin])
    }

    private func preflight(_ idp: ProviderUnderTest, _ path: String, from origin: String) async -> Answer {
        await idp.respond(
            .options, path,
            [
                .origin: origin, .init("Access-Control-Request-Method")!: "POST",
                .init("Access-Control-Request-Headers")!: "authorization",
            ])
    }

    private func crossOriginFields(of answer: Answer) -> [String] {
        answer.fields.map(\.name.canonicalName).filter { $0.hasPrefix("access-control-") }
    }

    @Test(arguments: ofThisMachine) func aPageOfThisMachineMayReadATokenAndARefusal(origin: String) async throws {
        let idp = try await ProviderUnderTest()
        for basic in ["service:secret", "service:wrong"] {
            let answer = await token(idp, from: origin, basic: basic)
            #expect(answer.field("Access-Control-Allow-Origin") == origin)
            #expect(answer.field("Access-Control-Expose-Headers")?.contains("WWW-Authenticate") == true)
            #expect(answer.field("Access-Control-Allow-Credentials") == nil)
            #expect(answer.field("Vary") == "Origin")
        }
    }

    /// RFC 6585 section 4: whoever was too quick is told when to come again, if he can see it.
    @Test func aPageMayReadWhenToComeAgain() async throws {
        let idp = try await ProviderUnderTest()
        let origin = "http://localhost:3000"
        for _ in 0..<100 { _ = await token(idp, from: origin, basic: "service:wrong") }
        let answer = await token(idp, from: origin)
        #expect(answer.field("Retry-After") == "60")
        let exposed = answer.field("Access-Control-Expose-Headers") ?? ""
        #expect(exposed.split(separator: ",").contains { $0.drop { $0 == " " } == "Retry-After" }, "\(exposed)")
    }

    @Test(arguments: ofOthers) func noOtherPageMay(origin: String) async throws {
        let idp = try await ProviderUnderTest()
        for answer in [
            await token(idp, from: origin), await token(idp, from: origin, basic: "service:wrong"),
            await preflight(idp, "/token", from: origin), await preflight(idp, "*", from: origin),
            await idp.get("/token", [.origin: origin]), await idp.get("/nowhere", [.origin: origin]),
        ] {
            #expect(crossOriginFields(of: answer).isEmpty)
            #expect(answer.field("Vary") == "Origin")
        }
    }

    /// RFC 9700 section 2.6: what browsers go to is read by no page of another origin, whatever else may be.
    @Test(arguments: [
        "/authorize", "/continue", "/login", "/select-account", "/consent", "/device", "/logout",
    ])
    func noPageMayReadWhatIsForPeople(path: String) async throws {
        let idp = try await ProviderUnderTest(crossOrigin: .any)
        for origin in ["http://localhost:3000", "https://evil.example"] {
            #expect(crossOriginFields(of: await idp.get(path, [.origin: origin])).isEmpty)
            #expect(crossOriginFields(of: await preflight(idp, path, from: origin)).isEmpty)
        }
    }

    @Test func whoeverIsNoPageIsAnsweredAsBefore() async throws {
        let answer = try await ProviderUnderTest().token("grant_type=client_credentials", basic: "service:secret")
        #expect(answer.status == 200)
        #expect(crossOriginFields(of: answer).isEmpty)
        #expect(answer.field("Vary") == "Origin")
    }

    @Test func twoOriginsAreNone() async throws {
        let idp = try await ProviderUnderTest()
        let fields = HTTPFields([
            HTTPField(name: .origin, value: "http://localhost"), HTTPField(name: .origin, value: "http://localhost"),
        ])
        #expect(crossOriginFields(of: await idp.respond(.post, "/token", fields)).isEmpty)
    }

    @Test(arguments: ofThisMachine) func aPageOfThisMachineMayAskAhead(origin: String) async throws {
        let answer = await preflight(try await ProviderUnderTest(), "/token", from: origin)
        #expect(answer.status == 204)
        #expect(answer.field("Access-Control-Allow-Origin") == origin)
        #expect(answer.field("Access-Control-Allow-Methods") == "POST, OPTIONS")
        #expect(answer.field("Access-Control-Allow-Headers")?.contains("Authorization, Content-Type") == true)
        #expect(answer.field("Vary") == "Origin")
    }

    @Test(arguments: ["https://app.example", "http://app.example:3000"])
    func aListedOriginMay(origin: String) async throws {
        let listed = try Set(
            ["https://APP.example:443", "http://app.example:3000"].map { try #require(WebOrigin($0)) })
        let idp = try await ProviderUnderTest(crossOrigin: .listed(listed))
        #expect(await token(idp, from: origin).field("Access-Control-Allow-Origin") == origin)
        #expect(await preflight(idp, "/token", from: origin).field("Access-Control-Allow-Origin") == origin)
    }

    @Test(arguments: [
        "http://localhost:3000", "http://app.example", "https://app.example:3000", "https://app.example:8443",
        "https://app.example.evil.example", "https://sub.app.example", "https://app.exampl", "null", "",
    ])
    func wherePagesAreListedNoOtherMay(origin: String) async throws {
        let idp = try await ProviderUnderTest(crossOrigin: .listed([try #require(WebOrigin("https://app.example"))]))
        #expect(crossOriginFields(of: await token(idp, from: origin)).isEmpty)
        #expect(crossOriginFields(of: await preflight(idp, "/token", from: origin)).isEmpty)
    }

    @Test(arguments: ["https://evil.example", "null"]) func whereAnyMayEveryPageMay(origin: String) async throws {
        let idp = try await ProviderUnderTest(crossOrigin: .any)
        #expect(await token(idp, from: origin).field("Access-Control-Allow-Origin") == "*")
        #expect(await preflight(idp, "/token", from: origin).field("Access-Control-Allow-Origin") == "*")
    }

    @Test(arguments: RoutingTests.documents, ["https://evil.example", "null", "http://localhost:3000"])
    func documentsAreForEveryPageUnderEveryPolicy(path: String, origin: String) async throws {
        for policy in [CrossOriginPolicy.loopback, .listed([]), .any] {
            let idp = try await ProviderUnderTest(crossOrigin: policy)
            let first = await idp.get(path, [.origin: origin])
            #expect(first.fields[values: .init("Access-Control-Allow-Origin")!] == ["*"])
            let again = await idp.get(path, [.origin: origin, .init("If-None-Match")!: first.field("ETag") ?? ""])
            #expect(again.status == 304)
            #expect(again.field("Access-Control-Allow-Origin") == "*")
            let ahead = await preflight(idp, path, from: origin)
            #expect(ahead.field("Access-Control-Allow-Origin") == "*")
            #expect(ahead.field("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS")
        }
    }

    /// What a cache keeps must be good for every page, and so must not depend on who asked first.
    @Test(arguments: RoutingTests.documents) func documentsSayItToThoseWhoAreNoPageToo(path: String) async throws {
        #expect(await (try await ProviderUnderTest()).get(path).field("Access-Control-Allow-Origin") == "*")
    }
}
