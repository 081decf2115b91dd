import OAuth
import Primitives

/// What a user has authorised one client to do, and every token that follows from it: the access tokens, and the line
/// of refresh tokens that replace each other.
///
/// It is as small after a million rotations as after the first (see `RefreshTokenCodec`).
package struct Family: Sendable {
    package let terms: FamilyTerms
    package var rotation: RotationState
    /// From when on its tokens are not good any more: all of them, or its refresh tokens alone.
    package var ended: Ending?

    package init(_ terms: FamilyTerms) {
        self.terms = terms
        rotation = RotationState()
    }

    package var id: FamilyID { terms.id }

    /// What became of a family that was to begin.
    package struct Beginning: Sendable {
        /// The one that is there from now on.
        package let family: Family
        /// Whether none was there before.
        package let isNew: Bool

        /// - Parameter known: the one that is there already.
        package init(of family: Family, beside known: Family?) {
            self.family = known ?? family
            isNew = known == nil
        }
    }

    /// When and why a family, or the login that it belongs to, came to its end.
    package struct Ending: Hashable, Sendable {
        package let reason: Reason
        package let moment: Timestamp
        package var reach: Reach

        package init(_ reason: Reason, at moment: Timestamp, reach: Reach = .everything) {
            self.reason = reason
            self.moment = moment
            self.reach = reach
        }
    }

    /// How much ends with a family.
    package enum Reach: UInt8, Hashable, Sendable, CaseIterable {
        /// Its access tokens are good until they expire.
        case refreshTokens
        case everything
        /// And what else the client was authorised to in the same login has to end, and has perhaps not ended yet.
        case grant
    }

    /// Why a family or a login ended.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// RFC 6749 section 4.1.2: its code was presented a second time.
        case codeReplayed = "code_replayed"
        /// RFC 9700 section 4.14.2: a refresh token was presented that had been replaced.
        case refreshTokenReused = "refresh_token_reused"
        /// RFC 7009.
        case revoked
        case loggedOut = "logged_out"
        /// By whoever runs the provider.
        case ended
    }

    /// Ends it. The first reason stays; what was spared then may end now.
    package mutating func end(_ reason: Reason, at now: Timestamp, reach: Reach = .everything) {
        if ended == nil { ended = Ending(reason, at: now, reach: reach) }
        if let former = ended?.reach, former.rawValue < reach.rawValue { ended?.reach = reach }
    }

    /// Whether none of its tokens is good any more.
    package var isOver: Bool { ended.map { $0.reach != .refreshTokens } ?? false }
}
