#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Owns an EVP_PKEY. OpenSSL lets several threads use one at once as long as nobody changes it, and nothing here does.
final class KeyHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        // Wipes the private numbers.
        EVP_PKEY_free(pointer)
    }

    func number(_ name: String) throws(CryptoError) -> BigNumber {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw .library("reading a number of the key")
        }
        return BigNumber(owning: number)
    }

    func octets(_ name: String, maximumLength: Int) throws(CryptoError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: maximumLength)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(pointer, name, &octets, maximumLength, &length) == 1 else {
            throw .library("reading octets of the key")
        }
        octets.removeLast(maximumLength - length)
        return octets
    }

    static func generate(_ type: String, configure: (OpaquePointer) -> Int32) throws(CryptoError) -> KeyHandle {
        let context = allocated(EVP_PKEY_CTX_new_from_name(nil, type, nil))
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, configure(context) == 1, EVP_PKEY_generate(context, &key) == 1,
            let key
        else { throw .library("generating a key") }
        return KeyHandle(owning: key)
    }
}
#endif
