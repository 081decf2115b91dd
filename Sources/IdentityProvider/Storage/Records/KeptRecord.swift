import Primitives

/// What a store keeps by itself, until it has expired. Every engine forgets it by the same rule.
package protocol KeptRecord: StoredRecord {
    /// From when on it may be forgotten; `nil`: never.
    var forgettable: Timestamp? { get }
    /// The login by which it is looked for, besides its key.
    var login: LoginID? { get }

    /// What stays as it is at the end of its bytes for as long as it is there; `nil`: nothing does, or another program wrote it.
    /// An engine may keep what is before that apart for a while: who raises ``StoredRecord/recordVersion`` has to bring both
    /// together in the migration.
    static func lasting(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>?

    /// Its bytes, where it takes the place of a record whose bytes are at hand: what both have need not be written anew.
    func encoded(inPlaceOf former: Self, written bytes: ArraySlice<UInt8>) -> [UInt8]
}

extension KeptRecord {
    package func encoded(inPlaceOf former: Self, written bytes: ArraySlice<UInt8>) -> [UInt8] { encoded }

    package static func lasting(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { nil }

    package var login: LoginID? { nil }

    /// What has expired is remembered for so long, to say that it has expired and not that it never was.
    package static var retention: Duration { .seconds(3600) }

    func mayBeForgotten(at now: Timestamp) -> Bool { forgettable.map { $0 <= now } ?? false }
}

extension Family: KeptRecord {
    package var forgettable: Timestamp? { terms.expires.map { $0 + Self.retention } }
    package var login: LoginID? { terms.loginID }
}

extension Login: KeptRecord {
    package var forgettable: Timestamp? { neededUntil + Self.retention }
}

extension AccessTokenRecord: KeptRecord {
    package var forgettable: Timestamp? { facts.expires }
}

extension RememberedConsent: KeptRecord {
    package var forgettable: Timestamp? { nil }
}
