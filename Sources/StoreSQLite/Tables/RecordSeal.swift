import Crypto
import Primitives

/// Tells a record that is as it was written from one that the disk, or a hand, has changed: a code of 64 bits over the tenant,
/// the table, the key and the record, kept behind the record. It is SipHash-2-4 with a key that follows from the secret beside
/// the database, and costs a fraction of a microsecond.
///
/// It finds whatever changes a row or puts it elsewhere, but no row that is gone, and none that is as it was once.
package struct RecordSeal: Sendable {
    private var first: UInt64
    private var second: UInt64
    private var third: UInt64
    private var fourth: UInt64
    private var wordCount: UInt64 = 0

    static let byteCount = 8

    package init(key: (UInt64, UInt64) = (0, 0)) {
        first = key.0 ^ 0x736F_6D65_7073_6575
        second = key.1 ^ 0x646F_7261_6E64_6F6D
        third = key.0 ^ 0x6C79_6765_6E65_7261
        fourth = key.1 ^ 0x7465_6462_7974_6573
    }

    /// That of a database beside which a secret is.
    package init(secret: Secret) {
        let key = HMAC(.sha256, key: secret).authenticate(Array("records".utf8).span)
        self.init(key: (Self.word(key[..<8]), Self.word(key[8..<16])))
    }

    /// Says which key it has, and nothing about it.
    var fingerprint: Int64 {
        var seal = self
        seal.absorb(Array("fingerprint".utf8))
        return Int64(bitPattern: seal.code)
    }

    /// The bytes of a record, whatever is behind them.
    package static func record(_ sealed: [UInt8]) -> ArraySlice<UInt8> { sealed.dropLast(byteCount) }
}

// MARK: - Records

extension RecordSeal {
    /// That of the records which one tenant has in one table.
    func own(of tenant: [UInt8], in table: String) -> RecordSeal {
        var own = self
        own.absorb(Array(table.utf8))
        own.absorb(tenant)
        return own
    }

    /// Under which number the row of a key is, for good: databases are full of them. Nobody who lacks the secret finds two
    /// keys of one number. Should two have one by chance, as one pair in 10^19 has, the record of the first is not
    /// sealed for the second, which is refused.
    func number(of key: [UInt8]) -> Int64 {
        var seal = self
        seal.absorb(key)
        return Int64(bitPattern: seal.code)
    }

    /// A record with its seal, in the same piece of memory where there is room.
    package func sealed(_ record: consuming [UInt8], for key: [UInt8]) -> [UInt8] {
        let code = code(of: record[...], for: key)
        withUnsafeBytes(of: code.littleEndian) { record.append(contentsOf: $0) }
        return record
    }

    /// `nil`: it is not as it was written.
    func opened(_ sealed: [UInt8], for key: [UInt8]) -> ArraySlice<UInt8>? {
        guard sealed.count >= Self.byteCount else { return nil }
        let record = sealed.dropLast(Self.byteCount)
        guard code(of: record, for: key) == Self.word(sealed.suffix(Self.byteCount)) else { return nil }
        return record
    }

    private func code(of record: ArraySlice<UInt8>, for key: [UInt8]) -> UInt64 {
        var seal = self
        seal.absorb(key)
        seal.absorb(record)
        return seal.code
    }

    /// The number of its bytes and then these, so that no two lists of fields are the same.
    mutating func absorb(_ field: some Collection<UInt8>) {
        absorb(UInt64(field.count))
        let isRead: Void? = field.withContiguousStorageIfAvailable { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            if whole < bytes.count { absorb(Self.word(bytes[whole...])) }
        }
        precondition(isRead != nil, "arrays have their bytes in one piece")
    }

    /// Of no more than eight bytes, the first of which is the least.
    private static func word(_ bytes: some Collection<UInt8>) -> UInt64 {
        var (word, shift): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            word |= UInt64(byte) << shift
            shift += 8
        }
        return word
    }
}

// MARK: - SipHash

extension RecordSeal {
    package mutating func absorb(_ word: UInt64) {
        fourth ^= word
        mix()
        mix()
        first ^= word
        wordCount += 1
    }

    /// Of what has been absorbed.
    package var code: UInt64 {
        var end = self
        end.absorb((wordCount * 8) << 56)
        end.third ^= 0xFF
        for _ in 0..<4 { end.mix() }
        return end.first ^ end.second ^ end.third ^ end.fourth
    }

    private mutating func mix() {
        first &+= second
        second = Self.rotated(second, by: 13) ^ first
        first = Self.rotated(first, by: 32)
        third &+= fourth
        fourth = Self.rotated(fourth, by: 16) ^ third
        first &+= fourth
        fourth = Self.rotated(fourth, by: 21) ^ first
        third &+= second
        second = Self.rotated(second, by: 17) ^ third
        third = Self.rotated(third, by: 32)
    }

    private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
}
