import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// The server of a relying party: serves documents, and takes logout tokens.
final class RelyingPartyServer: OutboundRequests {
    /// What the provider has sent.
    struct Request: Sendable {
        let method: HTTPRequest.Method
        let url: String
        let fields: HTTPFields
        let form: FormParameters
    }

    private struct State {
        var documents: [String: [UInt8]] = [:]
        var requests: [Request] = []
    }

    private let state = Mutex(State())

    /// Everything that was asked of it, in order.
    var requests: [Request] { state.withLock { $0.requests } }

    func serve(_ document: JSON, at url: String) {
        state.withLock { $0.documents[url] = document.serialised() }
    }

    func serve(text: String, at url: String) {
        state.withLock { $0.documents[url] = Array(text.utf8) }
    }

    func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        let form = (try? FormParameters(parsing: body.span)) ?? FormParameters()
        let seen = Request(method: request.method, url: url, fields: request.headerFields, form: form)
        let document = state.withLock { state in
            state.requests.append(seen)
            return state.documents[url]
        }
        return (HTTPResponse(status: document != nil || request.method == .post ? .ok : .notFound), document ?? [])
    }
}
