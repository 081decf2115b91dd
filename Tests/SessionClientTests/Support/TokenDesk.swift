import HTTPMessages
import Primitives
import SessionClient
import Synchronization

/// A server's side for tests of a session manager: it answers by a closure, and remembers what it was asked.
final class TokenDesk: SessionServer {
    typealias Answer = @Sendable (_ refreshToken: String) async -> TokenAnswer

    private struct State {
        var answer: Answer
        var presented: [String] = []
        var revoked: [String] = []
        var revocations: Gate?
        var arrivals: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ answer: @escaping Answer) { state = Mutex(State(answer: answer)) }

    var presented: [String] { state.withLock { $0.presented } }
    var revoked: [String] { state.withLock { $0.revoked } }

    func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func refresh(_ credential: Credential) async -> TokenAnswer {
        let token = text(of: credential.refreshToken!)
        let (answer, arrivals) = state.withLock { state in
            state.presented.append(token)
            defer { state.arrivals = [] }
            return (state.answer, state.arrivals)
        }
        for arrival in arrivals { arrival.resume() }
        return await answer(token)
    }

    func holdsRevocations(at gate: Gate) { state.withLock { $0.revocations = gate } }

    func revoke(_ credential: Credential) async {
        await state.withLock { $0.revocations }?.pass()
        state.withLock { $0.revoked.append(text(of: credential.refreshToken!)) }
    }

    func hears(_ response: HTTPResponse, to request: HTTPRequest, with credential: Credential) -> Bool { false }

    func authorise(
        _ request: inout HTTPRequest, with credential: Credential, at now: Timestamp
    ) throws(SessionError) {
        request.headerFields[.authorization] = "Bearer " + text(of: credential.accessToken)
    }

    /// Returns when a refresh token is presented after this.
    func arrival() async {
        await withCheckedContinuation { continuation in state.withLock { $0.arrivals.append(continuation) } }
    }

    /// The tokens of number n: `a2` and `r2`, good for an hour.
    static func grant(_ number: Int, at now: Timestamp, lifetime: Duration = .seconds(3600)) -> TokenGrant {
        TokenGrant(
            accessToken: Secret(utf8: "a\(number)"), tokenType: "Bearer", expiresIn: lifetime,
            refreshToken: Secret(utf8: "r\(number)"), receivedAt: now)
    }

    /// Rotates `r1` to `r2` and so on.
    static func rotating(_ time: VirtualTime) -> TokenDesk {
        TokenDesk { token in .granted(grant(Int(token.dropFirst())! + 1, at: time.now())) }
    }
}

func text(of secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }
