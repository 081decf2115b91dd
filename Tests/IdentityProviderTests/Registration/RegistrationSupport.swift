import HTTPMessages
import IdentityProvider
import Primitives
import Synchronization
import Testing

/// A client that has registered itself.
struct RegisteredClient {
    let json: JSONObject
    let id: String
    let token: String
    /// Path and query of the registration.
    let path: String

    init(_ answer: Answer) throws {
        json = try #require(answer.json?.object)
        id = try answer.text("client_id")
        token = try answer.text("registration_access_token")
        path = String(try answer.text("registration_client_uri").dropFirst(ProviderUnderTest.issuer.count))
    }

    var secret: String? { json["client_secret"]?.string }
}

extension ProviderUnderTest {
    static let minimalRegistration: JSONObject = [
        "redirect_uris": ["https://app.example/callback"], "id_token_signed_response_alg": "ES256",
    ]

    func register(
        _ json: JSONObject = minimalRegistration, also change: JSONObject = [:], bearer: String? = nil
    ) async -> Answer {
        var json = json
        for (name, value) in change { json[name] = value }
        return await send(.post, "/register", json, bearer: bearer)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ json: JSONObject?, bearer: String?) async -> Answer {
        var fields: HTTPFields = [:]
        fields[.authorization] = bearer.map { "Bearer \($0)" }
        if json != nil { fields[.contentType] = "application/json" }
        return await respond(method, path, fields, body: json.map { JSON.object($0).serialised() } ?? [])
    }
}

/// Answers the provider's own requests, and remembers what was asked.
final class ScriptedOutbound: OutboundRequests {
    private let answer: @Sendable (HTTPRequest) throws(OutboundFailure) -> (HTTPResponse, [UInt8])
    private let asked = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (HTTPRequest) throws(OutboundFailure) -> (HTTPResponse, [UInt8])) {
        self.answer = answer
    }

    convenience init(_ json: JSON, status: HTTPResponse.Status = .ok) {
        self.init { _ throws(OutboundFailure) in (HTTPResponse(status: status), json.serialised()) }
    }

    /// The URLs of the requests so far.
    var urls: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        asked.withLock { $0.append("\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")") }
        return try answer(request)
    }
}
