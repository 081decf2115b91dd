import Cookies
import Primitives

/// All that is kept of a login, in one entry of a store: whoever writes any of it writes it over what he has read.
package struct SessionRecord: Equatable, Sendable {
    /// Counts sign-ins and sign-outs. What began under one epoch is never written into another: a refresh does not outlive a
    /// sign-out, and the user before does not come back.
    package var epoch: UInt64
    package var content: Content
    /// The refresh that is on its way, or that nobody knows the end of.
    package var rotation: Rotation?
    /// Cookies that the session has had and has no more: whoever has a copy is to take them away (C4).
    package var gone: [Cookie.Identity]

    /// Whether somebody is signed in.
    package enum Content: Equatable, Sendable {
        case signedIn(Credential)
        /// Kept, and not removed: what is gone can be brought back by a copy, and this cannot.
        case signedOut(SignOut)
    }

    package init(epoch: UInt64, content: Content, rotation: Rotation? = nil, gone: [Cookie.Identity] = []) {
        self.epoch = epoch
        self.content = content
        self.rotation = rotation
        self.gone = gone
    }

    /// So many are remembered, the latest.
    private static let mostGone = 64

    /// Which cookies are gone when others come in the place of those of this record.
    package func gone(with cookies: [Cookie]) -> [Cookie.Identity] {
        let coming = Set(cookies.map(\.identity))
        var seen: Set<Cookie.Identity> = []
        let all = gone + (credential?.cookies ?? []).map(\.identity)
        return Array(all.filter { !coming.contains($0) && seen.insert($0).inserted }.suffix(Self.mostGone))
    }

    package var credential: Credential? {
        if case .signedIn(let credential) = content { credential } else { nil }
    }

    /// Why nobody is signed in, where nobody is.
    package var signOut: SignOut {
        if case .signedOut(let signOut) = content { signOut } else { SignOut(.never) }
    }
}

/// A record, and the version of the entry that it was read from.
package struct StoredRecord: Equatable, Sendable {
    package let version: UInt64
    package var record: SessionRecord

    package init(version: UInt64, record: SessionRecord) {
        self.version = version
        self.record = record
    }
}
