import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// The OpenAPI document, as far as it can be judged without a validator of others.
@Suite struct OpenAPITests {
    @Test func namesTheIssuerAsItsServer() async throws {
        let provider = try await ProviderUnderTest()
        let root = try #require(await provider.get("/openapi.json").json)
        #expect(root["openapi"] == "3.1.0")
        #expect(root["servers"] == [["url": "http://localhost:8080"]])
        let tenant = try #require(await provider.get("/t/one/openapi.json").json)
        #expect(tenant["servers"] == [["url": "http://localhost:8080/t/one"]])
    }

    /// What is advertised is described, by its path.
    @Test func describesEveryEndpointOfTheMetadata() async throws {
        let provider = try await ProviderUnderTest()
        let paths = try #require(await provider.get("/openapi.json").json?["paths"]?.object)
        let metadata = try #require(await provider.get("/.well-known/openid-configuration").json?.object)
        for (name, value) in metadata where name.hasSuffix("_endpoint") || name == "jwks_uri" {
            let path = String(try #require(value.string).dropFirst(ProviderUnderTest.issuer.utf8.count))
            #expect(paths.contains(path), "\(name)")
        }
    }

    @Test func givesEachOperationANameOfItsOwn() async throws {
        let provider = try await ProviderUnderTest()
        let paths = try #require(await provider.get("/openapi.json").json?["paths"]?.object)
        var names: Set<String> = []
        for (path, item) in paths {
            for (method, operation) in item.object ?? [:] {
                guard let name = operation["operationId"]?.string else { continue }
                #expect(names.insert(name).inserted, "\(method) \(path): \(name)")
            }
        }
        #expect(names.count > 50)
    }

    @Test func describesTenantsAtTheRootAlone() async throws {
        let provider = try await ProviderUnderTest()
        let root = await provider.get("/openapi.json").json?["paths"]?.object
        let tenant = await provider.get("/t/one/openapi.json").json?["paths"]?.object
        #expect(root?.contains("/_pawl/tenants") == true)
        #expect(tenant?.contains("/_pawl/tenants") == false)
        #expect(tenant?.contains("/_pawl/clock") == true)
    }

    private func paths(of provider: ProviderUnderTest) async throws -> JSONObject {
        try #require(await provider.get("/openapi.json").json?["paths"]?.object)
    }

    /// The names of both standards, each of which is answered.
    @Test func describesTheMetadataUnderBothNames() async throws {
        let provider = try await ProviderUnderTest()
        let paths = try await paths(of: provider)
        for name in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] {
            #expect(paths[name]?["get"]?["responses"]?["200"] != nil, "\(name)")
            #expect(await provider.get(name).status == 200)
        }
    }

    @Test func leavesOutRegistrationWhereNobodyMayRegister() async throws {
        let provider = try await ProviderUnderTest { $0.registration = .off }
        #expect(try await paths(of: provider)["/register"] == nil)
        try provider.context.configure { $0.registration = .open }
        #expect(try await paths(of: provider)["/register"] != nil, "what was said before is not said again")
        try provider.context.configure { $0.registration = .off }
        #expect(try await paths(of: provider)["/register"] == nil)
    }

    /// What `legacy` names is there when it is named.
    @Test(arguments: [true, false])
    func offersNothingThatCannotBeHad(isOld: Bool) async throws {
        let provider = try await ProviderUnderTest { if isOld { $0.legacy = Set(LegacyFeature.allCases) } }
        let paths = try await paths(of: provider)
        let body = paths["/token"]?["post"]?["requestBody"]?["content"]?["application/x-www-form-urlencoded"]
        let form = try #require(body?["schema"]?["properties"]?.object)
        let metadata = await provider.get("/.well-known/openid-configuration").json
        #expect((form["grant_type"]?["enum"]?.array ?? []).contains("password") == isOld)
        #expect(form.contains("username") == isOld)
        #expect(form.contains("password") == isOld)
        #expect(form.contains("code") && form.contains("refresh_token") && form.contains("device_code"))
        let parameters = paths["/authorize"]?["get"]?["parameters"]?.array ?? []
        for (name, member) in [
            ("response_type", "response_types_supported"),
            ("code_challenge_method", "code_challenge_methods_supported"),
        ] {
            let parameter = try #require(parameters.first { $0["name"] == .string(name) })
            #expect(parameter["schema"]?["enum"] == metadata?[member], "\(name)")
        }
        let types = metadata?["response_types_supported"]?.array ?? []
        #expect(types.contains("id_token token") == isOld)
    }

    private typealias Operation = (method: String, path: String, responses: JSON)

    /// What the document says that each operation answers.
    private func operations() async throws -> [Operation] {
        var operations: [Operation] = []
        for (path, item) in try await paths(of: ProviderUnderTest()) {
            for (method, operation) in item.object ?? [:] {
                guard let responses = operation["responses"] else { continue }
                operations.append((method: method, path: path, responses: responses))
            }
        }
        #expect(operations.count > 50)
        return operations
    }

    /// Whatever is sent may be too long for the server, be it a body that nobody reads. RFC 9110 section 9.3.1: in a
    /// GET there is none.
    @Test func saysThatABodyMayBeTooLong() async throws {
        for (method, path, responses) in try await operations() where method != "get" {
            #expect(responses["413"]?["content"]?["application/json"] != nil, "\(method) \(path)")
        }
    }

    /// RFC 9110 section 15.6.4: a store that fails says when to come again. So does a server that has too much to do,
    /// which makes no pages.
    @Test func saysOfEveryOperationThatItMayFailForAMoment() async throws {
        for (method, path, responses) in try await operations() {
            let refusal = responses["503"]
            #expect(refusal?["headers"]?["Retry-After"] != nil, "\(method) \(path)")
            #expect(refusal?["content"]?["application/json"] != nil, "\(method) \(path)")
        }
    }

    /// `Host` is looked at before there is anybody who could make a page.
    @Test func saysOfEveryOperationThatTheHostMayBeWrong() async throws {
        for (method, path, responses) in try await operations() {
            #expect(responses["400"]?["content"]?["application/json"] != nil, "\(method) \(path)")
        }
        let provider = try await ProviderUnderTest()
        for path in ["/", "/login", "/jwks.json", "/.well-known/openid-configuration"] {
            let answer = await provider.get(path, host: "a,b")
            #expect(answer.status == 400 && answer.error == "invalid_request", "\(path)")
        }
    }

    /// What a page says besides stays.
    @Test func saysOfAPageThatItMaySayWhatIsWrong() async throws {
        let responses = try await paths(of: ProviderUnderTest())["/login"]?["post"]?["responses"]
        for status in ["400", "503"] {
            #expect(responses?[status]?["content"]?["text/html"] != nil, "\(status)")
        }
    }

    @Test func saysWhatTheControlAPIChecksBeforeEachOperation() async throws {
        for (method, path, responses) in try await operations() where path.hasPrefix("/_pawl") {
            for status in ["400", "401", "403"] { #expect(responses[status] != nil, "\(method) \(path) \(status)") }
            #expect((responses["415"] != nil) == (method != "get"), "\(method) \(path)")
        }
    }

    /// The token that manages a registration is read before anything else of the request.
    @Test(arguments: ["get", "put", "delete"])
    func saysThatTheTokenOfARegistrationMayBeMalformed(_ method: String) async throws {
        let provider = try await ProviderUnderTest { $0.registration = .open }
        let refusal = try await paths(of: provider)["/register"]?[method]?["responses"]?["400"]
        let description = try #require(refusal?["description"]?.string)
        #expect(description.contains("token is malformed"))
    }

    /// RFC 6750 section 2.2.
    @Test func saysThatUserInfoTakesATokenInAForm() async throws {
        let item = try await paths(of: ProviderUnderTest())["/userinfo"]
        let body = try #require(item?["post"]?["requestBody"])
        let schema = body["content"]?["application/x-www-form-urlencoded"]?["schema"]
        #expect(schema?["properties"]?["access_token"] != nil)
        #expect(body["required"] == false, "it may come in the header")
        #expect(item?["get"]?["requestBody"] == nil)
    }

    @Test(
        arguments: [
            "/openapi.json", "/jwks.json", "/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server",
        ])
    func saysThatADocumentMayNotHaveChanged(_ path: String) async throws {
        let provider = try await ProviderUnderTest()
        #expect(await provider.get(path, [.init("If-None-Match")!: "*"]).status == 304)
        let responses = try await paths(of: provider)[path]?["get"]?["responses"]
        #expect(responses?["304"] != nil)
        #expect(responses?["200"]?["headers"]?["ETag"] != nil)
    }

    @Test func everyReferenceLeadsSomewhere() async throws {
        let provider = try await ProviderUnderTest()
        let document = try #require(await provider.get("/openapi.json").json)
        let schemas = try #require(document["components"]?["schemas"]?.object)
        var names: Set<String> = []
        Self.references(in: document, into: &names)
        #expect(names.count > 5)
        for name in names { #expect(schemas.contains(name), "\(name)") }
    }

    private static func references(in json: JSON, into names: inout Set<String>) {
        for element in json.array ?? [] { references(in: element, into: &names) }
        for (name, value) in json.object ?? [:] {
            if name == "$ref", let text = value.string {
                names.insert(String(text.split(separator: "/").last ?? ""))
            } else {
                references(in: value, into: &names)
            }
        }
    }
}
