import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// A server that says what the test wants, and remembers what it was asked.
///
///     let server = ScriptedServer()
///     server.enqueue(.json(#"{"access_token":"a","token_type":"Bearer"}"#))
///     …
///     #expect(server.requests[0].form["grant_type"] == "refresh_token")
///
/// Answers come from the queue first, then from the closure. Where both have none, nobody can be reached.
final class ScriptedServer: OutboundRequests {
    typealias Answering = @Sendable (ScriptedRequest) async -> ScriptedReply?

    private struct State {
        var requests: [ScriptedRequest] = []
        var queue: [ScriptedReply] = []
    }

    private let state = Mutex(State())
    private let answering: Answering

    init(_ answering: @escaping Answering = { _ in nil }) {
        self.answering = answering
    }

    var requests: [ScriptedRequest] { state.withLock { $0.requests } }

    func enqueue(_ replies: ScriptedReply...) {
        state.withLock { $0.queue += replies }
    }

    func send(_ head: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let request = ScriptedRequest(head: head, body: body)
        let queued = remember(request)
        let reply = if let queued { queued } else { await answering(request) ?? .failure(.unreachable) }
        return try reply.result.get()
    }

    private func remember(_ request: ScriptedRequest) -> ScriptedReply? {
        state.withLock { state in
            state.requests.append(request)
            return state.queue.isEmpty ? nil : state.queue.removeFirst()
        }
    }
}

/// What a scripted server was asked.
struct ScriptedRequest: Sendable {
    let head: HTTPRequest
    let body: [UInt8]

    var url: String { "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" }
    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The parameters of the body; none where it is no form.
    var form: FormParameters { (try? FormParameters(parsing: body.span)) ?? FormParameters() }

    subscript(field: HTTPField.Name) -> String? { head.headerFields[field] }
}

/// What a scripted server answers.
enum ScriptedReply: Sendable {
    case response(HTTPResponse, [UInt8])
    case failure(OutboundFailure)

    var result: Result<(HTTPResponse, [UInt8]), OutboundFailure> {
        switch self {
        case .response(let response, let body): .success((response, body))
        case .failure(let failure): .failure(failure)
        }
    }

    static func json(_ text: String, status: Int = 200, _ fields: HTTPFields = [:]) -> Self {
        var fields = fields
        fields[.contentType] = "application/json"
        return .text(text, status: status, fields)
    }

    static func text(_ text: String, status: Int = 200, _ fields: HTTPFields = [:]) -> Self {
        .response(
            HTTPResponse(status: .init(code: status, reasonPhrase: ""), headerFields: fields), Array(text.utf8))
    }

    static func status(_ status: Int, _ fields: HTTPFields = [:]) -> Self { .text("", status: status, fields) }
}
