import IdentityProvider
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
