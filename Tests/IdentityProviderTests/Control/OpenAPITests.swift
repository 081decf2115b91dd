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

    /// Every request with a body may be too long for the server.
    @Test func saysThatABodyMayBeTooLong() async throws {
        for (path, item) in try await paths(of: ProviderUnderTest()) {
            for (method, operation) in item.object ?? [:] where operation["requestBody"] != nil {
                #expect(operation["responses"]?["413"] != nil, "\(method) \(path)")
            }
        }
    }

    /// RFC 9110 section 15.6.4: a store that fails says when to come again.
    @Test func saysOfEveryOperationThatItMayFailForAMoment() async throws {
        for (path, item) in try await paths(of: ProviderUnderTest()) {
            for (method, operation) in item.object ?? [:] where operation["responses"] != nil {
                let refusal = operation["responses"]?["503"]
                #expect(refusal?["headers"]?["Retry-After"] != nil, "\(method) \(path)")
                #expect(refusal?["content"]?.object?.isEmpty == false, "\(method) \(path)")
            }
        }
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
