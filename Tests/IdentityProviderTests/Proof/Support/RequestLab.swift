import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A provider where everybody is logged in by himself, and clients that send authorization requests in every way.
struct RequestLab {
    let idp: ProviderUnderTest
    let server = RemoteServer()
    let signer: ProofClient

    static let redirect = "https://app.example/cb"
    static let objectURL = "https://signer.example/request/1"
    static let asked = "response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=s-1"

    init(
        allowing allowances: Allowances = .automaticLogin, configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws {
        let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        let signer = try ProofClient(at: now)
        self.signer = signer
        let keys = JWKSet([signer.key.jwk].compactMap(\.publicJWK))
        idp = try await ProviderUnderTest(
            clients: [
                Self.client("web", secret: "secret"),
                Self.client("other", secret: "secret"),
                Self.client("spa") {
                    $0.authenticationMethod = "none"
                    $0.requiresPKCE = true
                },
                Self.client("pusher", secret: "secret") { $0.requiresPushedRequests = true },
                Self.client("signer", secret: "secret-of-more-than-thirty-two-bytes-long") {
                    $0.keys = keys
                    $0.requestURIs = [Self.objectURL]
                },
                Self.client("strict", secret: "secret") {
                    $0.keys = keys
                    $0.requiresSignedRequestObjects = true
                },
            ], users: StandardUsers.all(), outbound: server
        ) {
            $0.allowances = allowances
            configure(&$0)
        }
    }

    private static func client(
        _ id: String, secret: String? = nil, configure: (inout ClientMetadata) -> Void = { _ in }
    ) throws -> Client {
        try .proving(id, secret: secret) {
            $0.grants = ["authorization_code", "refresh_token"]
            $0.responseTypes = [.code]
            $0.redirectURIs = [try RedirectURI(redirect)]
            $0.requiresPKCE = false
            configure(&$0)
        }
    }

    /// Where the authorization endpoint sends a browser, and with what.
    struct Landing {
        let status: Int
        let location: String
        let body: String
        /// Of the redirect's query.
        let parameters: FormParameters

        var error: String? { parameters["error"] }
        var code: String? { parameters["code"] }
    }

    func authorize(_ query: String) async throws -> Landing {
        let answer = await idp.get("/authorize?" + query)
        let location = answer.field("Location") ?? ""
        let parts = location.split(separator: "?", maxSplits: 1)
        return Landing(
            status: answer.status, location: location, body: String(decoding: answer.body, as: UTF8.self),
            parameters: try FormParameters(parsing: Array((parts.dropFirst().first ?? "").utf8).span))
    }

    func push(_ form: String, basic: String? = "web:secret", also fields: HTTPFields = [:]) async -> Answer {
        await idp.token(form, basic: basic, path: "/par", also: fields)
    }

    /// The reference to a request that is pushed for `web`.
    func reference(_ form: String = RequestLab.asked, basic: String = "web:secret") async throws -> String {
        try await push(form, basic: basic).text("request_uri")
    }

    /// A request object of `signer`, with `claims` in the place of its own; `null` takes one away.
    func object(
        _ claims: JSONObject = [:], of client: String = "signer", header: JSONObject = [:],
        signedBy other: SigningKey? = nil
    ) throws -> String {
        let key = other ?? signer.key
        var members: JSONObject = [
            "iss": .string(client), "aud": .string(ProviderUnderTest.issuer), "client_id": .string(client),
            "response_type": "code", "redirect_uri": .string(Self.redirect), "state": "inside",
        ]
        members.change(by: claims)
        var parameters: JSONObject = ["alg": .string(key.algorithm.name), "typ": "oauth-authz-req+jwt"]
        parameters.change(by: header)
        return try ProofClient.sign(members, header: parameters, by: key)
    }
}
