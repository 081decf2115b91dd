#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Owns a BIGNUM. Its digits are wiped when it goes, whether they were secret or not.
final class BigNumber {
    /// Only of a number that has a name: `BigNumber(1).pointer` is freed before anybody can use it.
    let pointer: OpaquePointer

    init() {
        // OSSL_PARAM_BLD copies such a number into memory that it wipes after use.
        pointer = allocated(BN_secure_new())
        // Makes the exponentiations and divisions that take it go the constant-time way.
        BN_set_flags(pointer, BN_FLG_CONSTTIME)
    }

    /// Takes over `pointer`.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        BN_clear_free(pointer)
    }

    convenience init(_ word: UInt) {
        self.init()
        precondition(BN_set_word(pointer, word) == 1, "OpenSSL is out of memory")
    }

    /// The number that the bytes spell, most significant first.
    convenience init(_ bytes: [UInt8]) {
        self.init()
        bytes.withUnsafeBytes { load($0) }
    }

    /// The number that the bytes spell, most significant first.
    convenience init(_ secret: Secret) {
        self.init()
        secret.withBytes { load($0) }
    }

    private func load(_ bytes: UnsafeRawBufferPointer) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        _ = allocated(BN_bin2bn(start, Int32(bytes.count), pointer))
    }

    var bitCount: Int { Int(BN_num_bits(pointer)) }
    var byteCount: Int { (bitCount + 7) / 8 }
    var isZero: Bool { BN_is_zero(pointer) == 1 }
    var isOne: Bool { BN_is_one(pointer) == 1 }
    var isOdd: Bool { BN_is_odd(pointer) == 1 }

    /// Most significant byte first, without leading zeros unless a longer `length` is asked for.
    func bytes(length: Int? = nil) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length ?? byteCount) { buffer, count in
            count = write(to: buffer.baseAddress, length: length ?? byteCount)
        }
    }

    /// As `bytes(length:)`, with no other copy.
    func secret(length: Int? = nil) -> Secret {
        let length = length ?? byteCount
        return Secret(byteCount: length) { buffer in
            _ = write(to: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), length: length)
        }
    }

    private func write(to start: UnsafeMutablePointer<UInt8>?, length: Int) -> Int {
        precondition(BN_bn2binpad(pointer, start, Int32(length)) == length, "the number is longer than its length")
        return length
    }
}

extension BigNumber: Comparable {
    static func == (left: BigNumber, right: BigNumber) -> Bool { BN_cmp(left.pointer, right.pointer) == 0 }
    static func < (left: BigNumber, right: BigNumber) -> Bool { BN_cmp(left.pointer, right.pointer) < 0 }
}
#endif
