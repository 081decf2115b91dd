import OAuth
import Primitives

/// What becomes of a refresh token that is presented. A value without clock, store or HTTP: whoever has a family asks.
///
/// Providers differ in what they do with one and the same race, and each of them is a value of this type: see
/// ``RotationProfile``. All that can differ is a knob, and any of them can be turned:
///
///     let policy = try RotationPolicy(parsing: "okta,window=5s")
///     let verdict = policy.judge(&family, presenting: 1, at: now)
package struct RotationPolicy: Hashable, Sendable {
    /// The profile that it began as.
    package let profile: String

    // When a token is replaced
    package var rotation = Rotation.always
    /// A family older than this keeps its token; `nil`: none is too old.
    package var rotatesUntil: Duration?
    /// A token younger than the window is kept when it is presented.
    package var keepsYoung = false
    /// With a token that is replaced, the access token ends that came with it.
    package var endsPairedAccessToken = false

    // What a replay gets: a token that was replaced, and that is presented within the window
    package var replay = Replayed.rejection
    package var ancestors = Ancestors.parent
    /// From the moment that the token was replaced, which counts; at its end it is over. `nil`: no end.
    package var window: Duration? = .zero
    /// How often one token may be replayed; `nil`: as often as somebody likes.
    package var count: Int?
    /// The use of the successor ends the window of its parent.
    package var useOfChildCloses = false
    /// A new successor takes the place of the one before, instead of standing beside it.
    package var replacesSibling = false
    /// What the loser of a race hears, whose request came before the token was replaced.
    package var race = Race.asReplay

    // What a replay outside the window does
    package var revocation = Revocation.familyAndAccessTokens
    /// `error` of the refusal (RFC 6749 section 5.2).
    package var error = OAuthErrorCode.invalidGrant.rawValue
    package var status = 400
    package var headers: [Header] = []
    /// The name of the header that says why, in answers to a replay and in refusals.
    package var causeHeader: String?

    // Lifetimes. None of them exceeds what the family was begun with.
    /// Without use; `nil`: any time.
    package var idleLifetime: Duration?
    package var idleExtension = IdleExtension.use
    /// From the authorization on. No rotation extends it.
    package var absoluteLifetime: Duration?

    init(profile: String) {
        self.profile = profile
    }

    /// Which tokens are replaced when they are presented.
    package enum Rotation: Hashable, Sendable {
        case never
        case always
        /// Those of public clients that are bound to no key; others after a share of their lifetime, in percent, if there
        /// is one.
        case publicClients(othersAfter: Int?)
        /// After a share of their lifetime, in percent.
        case afterShare(Int)
    }

    /// What a replay within the window gets.
    package enum Replayed: String, Hashable, Sendable, CaseIterable {
        /// Nothing, and nothing ends.
        case rejection = "reject"
        /// Nothing, and word that it may try again.
        case retryableRejection = "retry"
        /// The successor that it got before.
        case sameSuccessor = "same"
        /// The newest token of the family.
        case currentToken = "current"
        case newSuccessor = "new"
        /// An access token, and no refresh token.
        case accessTokenOnly = "access"
    }

    /// Whose replay may be within the window.
    package enum Ancestors: String, Hashable, Sendable, CaseIterable {
        /// A token whose successors are not replaced themselves.
        case parent
        /// Any.
        case any
        /// Any within the window, and a parent at any time.
        case anyAndParentAlways = "parent-always"
    }

    /// What the loser of a race hears: its token was good when the request came, and replaced when it was judged.
    package enum Race: String, Hashable, Sendable, CaseIterable {
        /// What every other replay gets.
        case asReplay = "replay"
        /// Word that it may try again, and nothing ends.
        case retryableRejection = "retry"
    }

    /// What a replay outside the window ends.
    package enum Revocation: String, Hashable, Sendable, CaseIterable {
        case nothing
        /// The newest refresh token.
        case refreshToken = "token"
        /// Every refresh token of the family. Its access tokens are good until they expire.
        case family
        case familyAndAccessTokens = "family+access"
        /// All that this client was authorised to in the same login, with all tokens. A family without login is alone.
        case grant
    }

    /// What begins the idle lifetime anew.
    package enum IdleExtension: String, Hashable, Sendable, CaseIterable {
        case nothing = "no"
        /// That somebody got something for a token.
        case use = "yes"
        /// A new token, whose own lifetime it is: to use one that is kept extends nothing.
        case newToken = "new-token"
    }

    /// A field that goes with a refusal.
    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
