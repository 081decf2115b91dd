import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// A provider whose control API a test uses.
struct ControlUnderTest {
    let provider: ProviderUnderTest

    init(
        _ control: ControlPolicy = .loopback, issuer: IssuerPolicy = .followsHost, recordedRequests: Int = 100,
        alarm: any Alarm = NoAlarm(), listener: (any CheckpointListener)? = nil
    ) async throws {
        provider = try await ProviderUnderTest(
            issuer: issuer, users: StandardUsers.all(), alarm: alarm, listener: listener
        ) { configuration in
            configuration.control = control
            configuration.recordedRequests = recordedRequests
        }
    }

    init(_ provider: ProviderUnderTest) { self.provider = provider }

    var context: ProviderContext { provider.context }

    /// An operation of the root's control API.
    func call(
        _ method: String, _ path: String, _ body: JSON? = nil, also fields: HTTPFields = [:],
        contentType: String? = "application/json", host: String? = ProviderUnderTest.host,
        peer: ServerRequest.Peer = .here, below: String = "/_pawl", presence: (any ClientPresence)? = nil
    ) async -> Answer {
        var fields = fields
        let bytes = body.map { $0.serialised() } ?? []
        if !bytes.isEmpty { fields[.contentType] = contentType }
        let head = HTTPRequest(
            method: HTTPRequest.Method(method)!, scheme: nil, authority: host, path: below + path,
            headerFields: fields)
        return Answer(
            await provider.provider.respond(
                to: ServerRequest(head: head, body: bytes, peer: peer, id: "r-2", presence: presence)))
    }

    /// One that must work.
    func json(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let answer = await call(method, path, body)
        #expect((200...201).contains(answer.status), "\(method) \(path): \(answer.status) \(answer.errorDescription)")
        return try #require(answer.json)
    }

    static let secret = "a-secret-of-the-tests"
    static var secretPolicy: ControlPolicy { .secret(SharedSecret(Secret(utf8: secret))) }
}

extension ServerRequest.Peer {
    static let here = Self(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
    static let elsewhere = Self(address: "192.0.2.7", isLoopback: false, isEncrypted: false)
}
