import Crypto
import Primitives

/// The bytes of one version on the disk: which one it was written over, in the clear, and what it keeps, sealed. Both are authenticated,
/// and with them which store and which version it is: a file under another name, or of another store, does not open.
///
///     "PAWL", the format (16 bits), the identifier of the version before, the nonce, the ciphertext, the tag
///
/// Nonces are random. A key that seals each minute for a thousand years has used an eighth of what it is good for.
package struct SealedFile {
    /// Who wrote: the nonce, of which no two are alike.
    package typealias Identifier = [UInt8]

    /// Which file it is meant to be.
    package struct Place {
        /// What kind of store. A session is not opened as a jar.
        let purpose: String
        let name: String
        let version: UInt64

        package init(purpose: String, name: String, version: UInt64) {
            self.purpose = purpose
            self.name = name
            self.version = version
        }
    }

    static let currentFormat: UInt16 = 1
    static let headerByteCount = 6 + 2 * AES256GCM.nonceByteCount
    static let overhead = headerByteCount + AES256GCM.tagByteCount
    /// Of a version that has no nonce: none at all, or one that is damaged.
    package static let noIdentifier = Identifier(repeating: 0, count: AES256GCM.nonceByteCount)

    private static let magic = Array("PAWL".utf8)

    /// The version that it was written over.
    let ancestor: Identifier
    let nonce: Identifier
    private let bytes: [UInt8]

    package init(parsing bytes: [UInt8]) throws(SessionStoreError) {
        guard bytes.count >= Self.headerByteCount, bytes.starts(with: Self.magic) else {
            throw .corrupt(reason: "it was cut off, or is none of ours")
        }
        let format = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
        guard format <= Self.currentFormat else { throw .corrupt(reason: "written by a newer program") }
        // The first format has no older ones: from the second on, the older are read here, each in its own way, and are
        // written in the newest with the next version.
        guard format == Self.currentFormat else { throw .corrupt(reason: "it has a format that never was") }
        ancestor = Array(bytes[6..<6 + AES256GCM.nonceByteCount])
        nonce = Array(bytes[6 + AES256GCM.nonceByteCount..<Self.headerByteCount])
        self.bytes = bytes
    }

    package func open(with key: Secret, at place: Place) throws(SessionStoreError) -> [UInt8] {
        do {
            return try AES256GCM(key: key).open(
                bytes.span.extracting(Self.headerByteCount...), nonce: nonce.span,
                authenticating: Self.authenticated(bytes[..<Self.headerByteCount], place).span)
        } catch {
            throw .corrupt(reason: "\(error)")
        }
    }

    package static func seal(
        _ payload: [UInt8], ancestor: Identifier, nonce: Identifier, with key: Secret, at place: Place
    ) throws(SessionStoreError) -> [UInt8] {
        var bytes = magic + [UInt8(currentFormat >> 8), UInt8(currentFormat & 0xFF)] + ancestor + nonce
        do {
            bytes += try AES256GCM(key: key).seal(
                payload.span, nonce: nonce.span, authenticating: authenticated(bytes[...], place).span)
        } catch {
            throw .failed(reason: "cannot encrypt: \(error)")
        }
        return bytes
    }

    /// Neither a purpose nor a name has a zero in it: no two places give the same bytes.
    private static func authenticated(_ header: ArraySlice<UInt8>, _ place: Place) -> [UInt8] {
        let version = (0..<8).map { UInt8(truncatingIfNeeded: place.version >> (56 - 8 * UInt64($0))) }
        return Array(place.purpose.utf8) + [0] + Array(place.name.utf8) + [0] + version + header
    }
}
