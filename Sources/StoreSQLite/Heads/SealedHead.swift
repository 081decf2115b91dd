import IdentityProvider

/// What changes of a record, and the seal of all of it: that, and what lasts of the record where it lies, is the record as it
/// is now.
///
///     record where it lies:  [head as it was][what lasts][seal as it was]
///     head:                  [head][seal]
///     together:              [head][what lasts][seal]
package struct SealedHead {
    package let bytes: ArraySlice<UInt8>

    package init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// That of a sealed record; `nil`: nothing of it lasts.
    package init?<Record: KeptRecord>(of sealed: [UInt8], as _: Record.Type) {
        guard let lasting = Self.lasting(in: sealed, as: Record.self) else { return nil }
        bytes = sealed[..<lasting.startIndex] + sealed[lasting.endIndex...]
    }

    /// The sealed record as it is now.
    ///
    /// - Parameter sealed: as it lies there, whether that is older or not.
    /// - Returns: `nil`: what lies there is damaged, so that nobody knows what lasts of it.
    package func joined<Record: KeptRecord>(to sealed: [UInt8], as _: Record.Type) -> [UInt8]? {
        guard bytes.count >= RecordSeal.byteCount, let lasting = Self.lasting(in: sealed, as: Record.self) else {
            return nil
        }
        let (head, seal) = (bytes.dropLast(RecordSeal.byteCount), bytes.suffix(RecordSeal.byteCount))
        return [UInt8](unsafeUninitializedCapacity: bytes.count + lasting.count) { joined, count in
            func add(_ part: ArraySlice<UInt8>) {
                _ = UnsafeMutableBufferPointer(rebasing: joined[count...]).initialize(fromContentsOf: part)
                count += part.count
            }
            add(head)
            add(lasting)
            add(seal)
        }
    }

    /// What of a sealed record is no part of its head.
    static func lasting<Record: KeptRecord>(in sealed: [UInt8], as _: Record.Type) -> ArraySlice<UInt8>? {
        guard sealed.count >= RecordSeal.byteCount else { return nil }
        return Record.lasting(in: RecordSeal.record(sealed))
    }
}
