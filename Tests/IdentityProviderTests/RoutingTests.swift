import HTTPMessages
import IdentityProvider
import Primitives
import Testing

@Suite struct RoutingTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await ProviderUnderTest() }

    static let documents = [
        "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/jwks.json",
    ]

    @Test(arguments: [
        "/toke", "/token/", "//token", "/TOKEN", "/%74oken", "/token/x", "/jwks", "/jwks.json/", "/.well-known/",
        "", "*", "token", "/authorise", "/user-info",
    ])
    func anUnknownPathIsNotFound(path: String) async {
        for method in [HTTPRequest.Method.get, .post] {
            let answer = await idp.respond(method, path)
            #expect(answer.status == 404)
            #expect(answer.error == "not_found")
            #expect(answer.errorDescription.contains("/.well-known/openid-configuration"))
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .put, .delete])
    func theTokenEndpointTakesPostOnly(method: HTTPRequest.Method) async {
        let body = Array("grant_type=client_credentials&client_id=service&client_secret=secret".utf8)
        let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let answer = await idp.respond(method, "/token", fields, body: body)
        #expect(answer.status == 405)
        #expect(answer.field("Allow") == "POST, OPTIONS")
        #expect(answer.json?["access_token"] == nil)
        #expect(answer.error == "invalid_request")
    }

    @Test(arguments: documents) func documentsAreForReading(path: String) async {
        for method in [HTTPRequest.Method.post, .put, .delete] {
            let answer = await idp.respond(method, path)
            #expect(answer.status == 405)
            #expect(answer.field("Allow") == "GET, HEAD, OPTIONS")
        }
        #expect(await idp.respond(.get, path + "?x=1").status == 200)
    }

    @Test(arguments: documents) func headIsAnsweredAsGet(path: String) async {
        let head = await idp.respond(.head, path)
        let get = await idp.get(path)
        #expect(head.status == 200)
        #expect(head.fields == get.fields)
    }

    @Test(arguments: documents) func documentsAreCachedAndAskedForAgainByTag(path: String) async throws {
        let first = await idp.get(path)
        let tag = try #require(first.field("ETag"))
        #expect(first.field("Cache-Control") == "public, max-age=300")
        for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*", "\"a\" ,W/\(tag) "] {
            let again = await idp.get(path, [.init("If-None-Match")!: condition])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.field("ETag") == tag)
            #expect(again.field("Cache-Control") == "public, max-age=300")
        }
        for condition in ["\"other\"", String(tag.dropFirst().dropLast()), "", "w/\(tag)"] {
            let again = await idp.get(path, [.init("If-None-Match")!: condition])
            #expect(again.status == 200)
            #expect(again.body == first.body)
        }
    }

    @Test(arguments: [
        ("/token", "POST, OPTIONS"), ("/jwks.json", "GET, HEAD, OPTIONS"),
        ("/.well-known/openid-configuration", "GET, HEAD, OPTIONS"),
    ])
    func everyEndpointSaysItsOptions(path: String, methods: String) async {
        let answer = await idp.respond(.options, path)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer.field("Allow") == methods)
    }

    @Test func theServerAsAWholeSaysItsOptions() async {
        let answer = await idp.respond(.options, "*")
        #expect(answer.status == 204)
        #expect(answer.field("Allow") == "GET, HEAD, POST, OPTIONS")
    }
}
