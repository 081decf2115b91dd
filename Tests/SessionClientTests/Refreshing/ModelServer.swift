import Primitives
import SessionClient

/// The other side of a refresh in a few lines: one family of refresh tokens that rotate, `r1`, `r2` and so on.
struct ModelServer {
    /// How long a token that was replaced gets the same successor again; zero: it ends the family.
    var window: Duration
    /// Whether it gets another successor instead, and the one before is dead from then on.
    var givesAnother = false
    private(set) var newest = 1
    /// Which one the newest was given for.
    private var parent = 0
    private(set) var replacedAt: Timestamp?
    private(set) var isRevoked = false
    private(set) var rotations = 0
    /// Whether a token that had been replaced was presented, in time or not.
    private(set) var replays = 0

    init(window: Duration, givesAnother: Bool = false) {
        self.window = window
        self.givesAnother = givesAnother
    }

    mutating func refresh(_ token: Secret, at now: Timestamp) -> TokenAnswer {
        guard !isRevoked, let number = Self.number(of: token) else { return Self.refusal }
        if number == newest {
            parent = newest
            newest += 1
            rotations += 1
            replacedAt = now
        } else {
            replays += 1
            guard number == parent, let replacedAt, now - replacedAt < window else {
                isRevoked = true
                return Self.refusal
            }
            if givesAnother { newest += 1 }
        }
        return .granted(
            TokenGrant(
                accessToken: Secret(utf8: "a\(newest)"), tokenType: "Bearer", expiresIn: .seconds(3600),
                refreshToken: Secret(utf8: "r\(newest)"), receivedAt: now))
    }

    mutating func revoke(_ token: Secret) { isRevoked = true }

    /// Whether a token would be taken.
    func takes(_ token: Secret, at now: Timestamp) -> Bool {
        var server = self
        if case .granted = server.refresh(token, at: now) { return true }
        return false
    }

    private static func number(of token: Secret) -> Int? {
        Int(token.withBytes { String(decoding: $0.dropFirst(), as: UTF8.self) })
    }

    static let refusal = TokenAnswer.refused(TokenRefusal(code: "invalid_grant"))
}
