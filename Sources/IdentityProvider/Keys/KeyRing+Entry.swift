import JOSE
import Primitives

extension KeyRing {
    /// A key and its place in the life of the ring. All of it must be kept where keys are kept.
    package struct Entry: Sendable {
        package let key: SigningKey
        package internal(set) var created: Timestamp
        package internal(set) var role: Role
        /// The expiry of the last token that it signed to expire, as far as that is known.
        package internal(set) var latestExpiry: Timestamp?
        /// The longest lifetime of the tokens that a server may have signed with it and nobody wrote down; zero if there
        /// are none.
        package internal(set) var longestLifetime: Duration

        package init(
            key: SigningKey, created: Timestamp, role: Role, latestExpiry: Timestamp? = nil,
            longestLifetime: Duration = .zero
        ) {
            self.key = key
            self.created = created
            self.role = role
            self.latestExpiry = latestExpiry
            self.longestLifetime = longestLifetime
        }

        /// Keeps the key published for a token that expires at `expiry`.
        mutating func cover(tokensUntil expiry: Timestamp, by policy: KeyRingPolicy) {
            latestExpiry = latestExpiry.map { max($0, expiry) } ?? expiry
            if case .retiring(let publishedUntil) = role {
                role = .retiring(publishedUntil: max(publishedUntil, expiry + policy.clockLeeway))
            }
        }

        var isActive: Bool { role == .active }

        var isNext: Bool { if case .next = role { true } else { false } }

        var isRetiring: Bool { if case .retiring = role { true } else { false } }
    }

    /// What a key is there for. Of each algorithm one key is active, and at most one is next.
    package enum Role: Hashable, Sendable {
        /// Published, so that everybody knows it when it begins to sign.
        case next(activeFrom: Timestamp)
        /// Signs.
        case active
        /// Signs no more; published for as long as one of its tokens may be valid.
        case retiring(publishedUntil: Timestamp)
    }
}
