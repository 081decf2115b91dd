import Glibc
import HTTPMessages
import Networking
import OAuth
import Primitives
import SessionClient

/// One process among several that share a login: it uses the session as an app does, for as long as it is told, and says in
/// lines of JSON what it has met. It may be killed at any moment.
struct Worker {
    let issuer: String
    let clientID: String
    let directory: String
    let seconds: Int

    func run() async throws {
        let group = try EventLoopGroup(count: 1)
        let outbound = try OutboundClient(group: group)
        let clock = SystemWallClock()
        let server = try await Discovery(outbound: outbound, clock: clock).describe(try Issuer(issuer))
        let tokens = TokenClient(
            server: server, client: ClientIdentity(clientID), outbound: outbound, clock: clock)
        var timing = SessionTiming()
        // A holder who was killed is not waited for longer than this, and the tokens of the trial are young.
        timing.rules = RefreshRules(
            lease: .seconds(3), look: .milliseconds(20), firstBackoff: .milliseconds(100),
            longestBackoff: .milliseconds(400))
        timing.answerLimit = .seconds(2)
        let session = SessionManager(
            server: TokenSessionServer(tokens), store: EncryptedFileStore(directory: directory, clock: clock),
            timing: timing, clock: clock, alarm: group)
        guard let userinfo = server.userinfoEndpoint else { throw Problem("the server has no userinfo endpoint") }
        let end = clock.now() + .seconds(seconds)
        var counts: [String: Int] = [:]
        while clock.now() < end {
            let met = await use(session, userinfo, outbound)
            counts[met, default: 0] += 1
            // What ends it is said at once; the rest is a sum.
            if met.hasPrefix("signed out") || met.hasPrefix("store") { say(["met": .string(met)]) }
        }
        var sums: JSONObject = [:]
        for (met, count) in counts { sums[met] = .number(JSONNumber(Int64(count))) }
        say(["sums": .object(sums)])
    }

    private func use(
        _ session: SessionManager, _ userinfo: ServerEndpoint, _ outbound: OutboundClient
    ) async -> String {
        do throws(SessionError) {
            let (response, _) = try await session.send(
                userinfo.request(.get), through: outbound)
            return "\(response.status.code)"
        } catch {
            switch error {
            case .signedOut: return "signed out: \(error)"
            case .store: return "store: \(error)"
            default: return "later"
            }
        }
    }

    /// One write, so that a line is whole or is not there, whatever ends the process.
    private func say(_ json: JSON) {
        let line = Array((json.text() + "\n").utf8)
        _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

/// What the program has to say of a wrong use of it.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
