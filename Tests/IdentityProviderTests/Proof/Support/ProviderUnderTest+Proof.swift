import HTTPMessages
import IdentityProvider
import OAuth
import Primitives

extension ProviderUnderTest {
    /// A token request with proofs.
    func token(_ form: String, proofs: [String], basic: String? = "service:secret") async -> Answer {
        var fields: HTTPFields = [:]
        for proof in proofs { fields.append(name: .dpop, value: proof) }
        return await token(form, basic: basic, also: fields)
    }

    /// The standard client asks on its own behalf.
    func token(proof: String) async -> Answer { await token("grant_type=client_credentials", proofs: [proof]) }

    /// A form that is posted through a connection whose client has shown a certificate.
    func post(
        _ form: String, to path: String = "/token", certificate: ClientCertificate?, _ fields: HTTPFields = [:]
    ) async -> Answer {
        await send(.post, path, fields, body: form, certificate: certificate)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], body: String = "",
        certificate: ClientCertificate? = nil
    ) async -> Answer {
        var fields = fields
        if method == .post { fields[.contentType] = "application/x-www-form-urlencoded" }
        let head = HTTPRequest(method: method, scheme: nil, authority: Self.host, path: path, headerFields: fields)
        let peer = ServerRequest.Peer(
            address: "127.0.0.1", isLoopback: true, isEncrypted: false, clientCertificate: certificate)
        return Answer(
            await provider.respond(to: ServerRequest(head: head, body: Array(body.utf8), peer: peer, id: "r-1")))
    }
}

extension Client {
    /// A client that asks on its own behalf, and proves itself as `configure` says.
    static func proving(
        _ id: String, secret: String? = nil, method: String? = nil,
        configure: (inout ClientMetadata) throws -> Void = { _ in }
    ) throws -> Client {
        var metadata = ClientMetadata()
        metadata.grants = ["client_credentials"]
        metadata.authenticationMethod = method
        try configure(&metadata)
        return try Client(id: id, secret: secret.map { Secret(utf8: $0) }, metadata: metadata)
    }
}
