import Crypto
import Primitives
import Synchronization

/// Makes tickets for logins, and knows its own again.
///
/// Nothing is kept of a login until its user comes back: anybody may begin as many as he likes, and pushes nobody else's out. What
/// has to be remembered of it (RFC 6749 section 10.12, RFC 7636 section 4.1) follows from the ticket and a key of this process.
final class LoginTickets: Sendable {
    private let tickets: HMAC
    private let secrets: HMAC
    private let lifetime: Duration
    private let clock: any WallClock
    private let random: any RandomSource
    /// Seeds of tickets whose user has come back, until they expire.
    private let spent = Mutex<[[UInt8]: Timestamp]>([:])

    /// With one more, those that expire first are forgotten: a provider refuses a code that comes twice, too.
    static let maximumSpentCount = 65_536

    init(lifetime: Duration, clock: any WallClock, random: any RandomSource) {
        tickets = HMAC(.sha256, key: Secret(random.bytes(32)))
        secrets = HMAC(.sha256, key: Secret(random.bytes(32)))
        self.lifetime = lifetime
        self.clock = clock
        self.random = random
    }

    func make(returningTo path: LocalPath) -> LoginTicket {
        LoginTicket(
            seed: random.bytes(LoginTicket.seedByteCount), expires: clock.now() + lifetime, returnPath: path)
    }

    /// As a cookie holds it.
    func text(of ticket: LoginTicket) -> String {
        let bytes = ticket.encoded
        return Base64URL.encode(bytes) + "." + Base64URL.encode(tickets.authenticate(bytes.span))
    }

    /// `nil` unless it is one of ours, and not too old.
    func read(_ text: String) -> LoginTicket? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = try? Base64URL.decode(String(Substring(parts[0]))),
            let code = try? Base64URL.decode(String(Substring(parts[1]))), tickets.isValid(code.span, for: bytes.span),
            let ticket = LoginTicket(encoded: bytes), clock.now() < ticket.expires
        else { return nil }
        return ticket
    }

    /// What state, nonce and verifier of this login are made of, each time the same.
    func secrets(of ticket: LoginTicket) -> DerivedRandom { DerivedRandom(secrets, seed: ticket.seed) }

    /// Whether nobody has come back with it yet. From now on, somebody has.
    ///
    /// A browser that loads the answer twice would present its code twice, which ends what the first has brought (RFC 6749
    /// section 4.1.2).
    func spend(_ ticket: LoginTicket) -> Bool {
        let now = clock.now()
        return spent.withLock { spent in
            guard spent[ticket.seed] == nil else { return false }
            if spent.count >= Self.maximumSpentCount { spent = spent.filter { $0.value > now } }
            if spent.count >= Self.maximumSpentCount, let first = spent.min(by: { $0.value < $1.value }) {
                spent[first.key] = nil
            }
            spent[ticket.seed] = ticket.expires
            return true
        }
    }
}
