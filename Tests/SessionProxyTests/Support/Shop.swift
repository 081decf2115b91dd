import HTTPMessages
import Primitives
import SessionProxy
import Synchronization

/// An upstream for tests: it takes the access tokens that the provider knows, and remembers what came.
final class Shop: Upstream {
    typealias Answer = @Sendable (HTTPRequest, [UInt8]) async -> UpstreamAnswer

    private struct State {
        var requests: [HTTPRequest] = []
        var bodies: [[UInt8]] = []
        var failure: OutboundFailure?
        var answer: Answer?
    }

    private let state = Mutex(State())
    private let desk: Desk

    init(_ desk: Desk) { self.desk = desk }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var bodies: [[UInt8]] { state.withLock { $0.bodies } }

    func fails(with failure: OutboundFailure?) { state.withLock { $0.failure = failure } }
    func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> UpstreamAnswer {
        let (failure, answer) = state.withLock { state in
            state.requests.append(request)
            state.bodies.append(body)
            return (state.failure, state.answer)
        }
        if let failure { throw failure }
        if let answer { return await answer(request, body) }
        let token = String((request.headerFields[.authorization] ?? "").dropFirst("Bearer ".count))
        guard desk.isGood(token) else { return Self.answer(.unauthorized, "no", Self.challenge) }
        return Self.answer(.ok, "goods")
    }

    /// RFC 6750 section 3.
    static let challenge: HTTPFields = [.wwwAuthenticate: "Bearer error=\"invalid_token\""]

    static func answer(
        _ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields = [:], body: (any UpstreamBody)? = nil
    ) -> UpstreamAnswer {
        var fields = fields
        if body == nil { fields[.contentLength] = "\(text.utf8.count)" }
        return UpstreamAnswer(
            head: HTTPResponse(status: status, headerFields: fields), body: body ?? Pieces([Array(text.utf8)]))
    }
}

/// The content of an answer in pieces that a test has cut.
final class Pieces: UpstreamBody {
    private let rest: Mutex<[[UInt8]]>
    private let ending: OutboundFailure?
    private let gate: Gate?
    private let closed = Mutex(false)

    /// - Parameter gate: before the second piece.
    init(_ pieces: [[UInt8]], ending: OutboundFailure? = nil, gate: Gate? = nil) {
        rest = Mutex(pieces)
        self.ending = ending
        self.gate = gate
        count = pieces.count
    }

    private let count: Int

    var isClosed: Bool { closed.withLock { $0 } }

    func next() async throws(OutboundFailure) -> [UInt8]? {
        if rest.withLock({ $0.count }) < count { await gate?.pass() }
        let piece = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if piece == nil, let ending { throw ending }
        return piece
    }

    func close() { closed.withLock { $0 = true } }
}
