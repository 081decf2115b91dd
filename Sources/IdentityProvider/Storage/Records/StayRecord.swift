import Primitives

/// Which stay somebody is in, kept for the next start: whoever is there then as he was before is in the same stay, and what
/// he was given is good still; whoever was gone in between is not (see ``Stays``).
package struct StayRecord: Hashable, Sendable {
    package let kind: Kind
    /// The subject of a user, the name of a client; empty for the counter.
    package let id: String
    package let number: Int

    /// Whose stay it is.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case user, client
        /// Nobody's: the last number that was given to users, or to clients.
        case lastUser, lastClient
    }

    package init(_ kind: Kind, _ id: String = "", _ number: Int) {
        self.kind = kind
        self.id = id
        self.number = number
    }

    /// Under which it is kept.
    package var key: String { "\(kind.rawValue) \(id)" }
}

extension StayRecord: KeptRecord {
    package var forgettable: Timestamp? { nil }

    package func write(to writer: inout RecordWriter) {
        writer.byte(kind.rawValue)
        writer.text(id)
        number.write(to: &writer)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .malformed }
        self.init(kind, try reader.text(), try Int(from: &reader))
    }
}
