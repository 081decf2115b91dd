import Crypto
import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// A provider for tests: it signs everybody in as whom the test says, rotates refresh tokens strictly, and remembers what it was
/// asked.
final class Desk: OutboundRequests {
    struct State {
        var user = "alice"
        var number = 0
        /// What came with a code: nonce and challenge.
        var codes: [String: (nonce: String?, challenge: String)] = [:]
        /// The good refresh token of each family.
        var families: [Int: String] = [:]
        var accessTokens: [String: Int] = [:]
        /// Whether a refresh brings another ID token.
        var renewsIDTokens = false
        var idTokens: [String] = []
        var revoked: [String] = []
        var refreshes = 0
        var redemptions = 0
        var descriptions = 0
        /// Of every sort, answered or not.
        var requests = 0
        var failure: OutboundFailure?
        var status: HTTPResponse.Status?
        var gate: Gate?
        /// Before tokens that are given back.
        var revocationGate: Gate?
        var lifetime = 300
        var rotates = true
        var usesWrongNonce = false
    }

    static let issuer = try! Issuer("https://id.example")
    private let state = Mutex(State())
    let clock: ManualClock

    init(clock: ManualClock) { self.clock = clock }

    /// What a test looks at, and changes.
    func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in body(&state) }
    }

    /// What a browser is sent back with from the URL that a login began with.
    func authorise(_ url: String, _ change: (inout [(name: String, value: String)]) -> Void = { _ in }) -> String {
        let query = Self.query(of: url)
        let code = state.withLock { state in
            state.number += 1
            let code = "code-\(state.number)"
            state.codes[code] = (query["nonce"], query["code_challenge"]!)
            return code
        }
        var pairs: [(name: String, value: String)] = [
            ("code", code), ("state", query["state"]!), ("iss", Self.issuer.identifier),
        ]
        change(&pairs)
        return query["redirect_uri"]! + "?" + FormParameters(pairs).encoded
    }

    static func query(of url: String) -> FormParameters {
        let text = url.split(separator: "?", maxSplits: 1)[1]
        return try! FormParameters(parsing: Array(text.utf8).span)
    }

    func isGood(_ accessToken: String) -> Bool {
        state.withLock { state in state.accessTokens[accessToken].map { state.families[$0] != nil } ?? false }
    }

    /// Access tokens are good no longer, though nobody was told.
    func forgetAccessTokens() { state.withLock { $0.accessTokens = [:] } }

    /// Every login at the provider is over.
    func endFamilies() { state.withLock { $0.families = [:] } }

    var secrets: [String] {
        state.withLock { state in Array(state.accessTokens.keys) + Array(state.families.values) }
    }

    // MARK: Requests

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let (gate, failure, status) = state.withLock { state in
            state.requests += 1
            let gates = ["/token": state.gate, "/revoke": state.revocationGate]
            return (gates[request.path ?? ""] ?? nil, state.failure, state.status)
        }
        await gate?.pass()
        if let failure { throw failure }
        if let status { return (HTTPResponse(status: status), []) }
        let form = try! FormParameters(parsing: body.span)
        switch request.path {
        case "/.well-known/openid-configuration": return answer(.ok, description())
        case "/token" where form["grant_type"] == "authorization_code": return redeem(form)
        case "/token" where form["grant_type"] == "refresh_token": return refresh(form)
        case "/revoke": return revoke(form)
        default: return answer(.notFound, [:])
        }
    }

    private func answer(_ status: HTTPResponse.Status, _ body: JSON) -> (HTTPResponse, [UInt8]) {
        let fields: HTTPFields = [.contentType: "application/json", .date: clock.now().httpDate]
        return (HTTPResponse(status: status, headerFields: fields), body.serialised())
    }

    private func description() -> JSON {
        state.withLock { $0.descriptions += 1 }
        return [
            "issuer": .string(Self.issuer.identifier), "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token", "revocation_endpoint": "https://id.example/revoke",
            "end_session_endpoint": "https://id.example/logout", "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    private func redeem(_ form: FormParameters) -> (HTTPResponse, [UInt8]) {
        let found = state.withLock { state in
            state.redemptions += 1
            return form["code"].flatMap { state.codes.removeValue(forKey: $0) }
        }
        let verifier = Array((form["code_verifier"] ?? "").utf8)
        guard let found, Base64URL.encode(HashFunction.sha256.digest(verifier.span)) == found.challenge else {
            return answer(.badRequest, ["error": "invalid_grant"])
        }
        return grant(family: nil, nonce: found.nonce)
    }

    private func refresh(_ form: FormParameters) -> (HTTPResponse, [UInt8]) {
        let presented = form["refresh_token"]!
        let family = state.withLock { state in
            state.refreshes += 1
            return state.families.first { $0.value == presented }?.key
        }
        guard let family else { return answer(.badRequest, ["error": "invalid_grant"]) }
        return grant(family: family, nonce: nil)
    }

    private func grant(family: Int?, nonce: String?) -> (HTTPResponse, [UInt8]) {
        let now = clock.now().secondsSinceEpoch
        let body: JSON = state.withLock { state in
            state.number += 1
            let family = family ?? state.number
            let (access, next) = ("access-token-\(state.number)", "refresh-token-\(state.number)")
            let refresh = state.rotates ? next : state.families[family] ?? next
            state.families[family] = refresh
            state.accessTokens[access] = family
            var body: JSONObject = [
                "access_token": .string(access), "token_type": "Bearer", "refresh_token": .string(refresh),
            ]
            body["expires_in"] = .number(JSONNumber(Int64(state.lifetime)))
            if nonce == nil, state.renewsIDTokens {
                state.idTokens.append("id-token-\(state.number)")
                body["id_token"] = state.idTokens.last.map { .string($0) }
            }
            guard let nonce else { return .object(body) }
            let claims: JSON = [
                "iss": .string(Self.issuer.identifier), "aud": "proxy", "sub": .string(state.user),
                "name": "Alice Ames",
                "nonce": .string(state.usesWrongNonce ? "other" : nonce), "iat": .number(JSONNumber(now)),
                "exp": .number(JSONNumber(now + 300)), "address": "secret street",
            ]
            let header: JSON = ["alg": "RS256"]
            let idToken = Base64URL.encode(header.serialised()) + "." + Base64URL.encode(claims.serialised()) + ".AAAA"
            state.idTokens.append(idToken)
            body["id_token"] = .string(idToken)
            return .object(body)
        }
        return answer(.ok, body)
    }

    private func revoke(_ form: FormParameters) -> (HTTPResponse, [UInt8]) {
        let token = form["token"]!
        state.withLock { state in
            state.revoked.append(token)
            state.families = state.families.filter { $0.value != token }
        }
        return answer(.ok, [:])
    }
}
