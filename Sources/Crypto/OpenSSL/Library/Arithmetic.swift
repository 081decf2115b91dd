#if !canImport(CryptoKit)
import COpenSSL

/// The few operations on big numbers that the checks of a key need. Owns the scratch space they share.
final class Arithmetic {
    private let scratch = allocated(BN_CTX_secure_new())
    private let one = BigNumber(1)

    deinit {
        BN_CTX_free(scratch)
    }

    func product(_ left: BigNumber, _ right: BigNumber) throws(CryptoError) -> BigNumber {
        try result("multiplying") { BN_mul($0, left.pointer, right.pointer, scratch) }
    }

    func decremented(_ number: BigNumber) throws(CryptoError) -> BigNumber {
        try result("subtracting") { BN_sub($0, number.pointer, one.pointer) }
    }

    func halved(_ number: BigNumber) throws(CryptoError) -> BigNumber {
        try result("halving") { BN_rshift1($0, number.pointer) }
    }

    func remainder(_ number: BigNumber, modulo modulus: BigNumber) throws(CryptoError) -> BigNumber {
        try result("dividing") { BN_nnmod($0, number.pointer, modulus.pointer, scratch) }
    }

    func quotient(_ number: BigNumber, _ divisor: BigNumber) throws(CryptoError) -> BigNumber {
        try result("dividing") { BN_div($0, nil, number.pointer, divisor.pointer, scratch) }
    }

    func product(_ left: BigNumber, _ right: BigNumber, modulo modulus: BigNumber) throws(CryptoError) -> BigNumber {
        try result("multiplying") { BN_mod_mul($0, left.pointer, right.pointer, modulus.pointer, scratch) }
    }

    func inverse(_ number: BigNumber, modulo modulus: BigNumber) throws(CryptoError) -> BigNumber {
        try result("inverting") { BN_mod_inverse($0, number.pointer, modulus.pointer, scratch) == nil ? 0 : 1 }
    }

    func greatestCommonDivisor(_ left: BigNumber, _ right: BigNumber) throws(CryptoError) -> BigNumber {
        try result("finding the common divisor") { BN_gcd($0, left.pointer, right.pointer, scratch) }
    }

    /// In time that does not depend on the bits of the exponent. The modulus must be odd.
    func power(_ base: BigNumber, _ exponent: BigNumber, modulo modulus: BigNumber) throws(CryptoError) -> BigNumber {
        try result("exponentiating") {
            BN_mod_exp_mont_consttime($0, base.pointer, exponent.pointer, modulus.pointer, scratch, nil)
        }
    }

    private func result(_ operation: String, _ body: (OpaquePointer) -> Int32) throws(CryptoError) -> BigNumber {
        let number = BigNumber()
        guard body(number.pointer) == 1 else { throw .library(operation) }
        return number
    }
}
#endif
