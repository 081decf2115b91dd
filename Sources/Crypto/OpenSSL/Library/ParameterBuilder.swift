#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Puts a key together from its numbers. OpenSSL keeps the pointers to the names until `makeKey` is done, hence
/// `StaticString`.
struct ParameterBuilder: ~Copyable {
    private let builder = allocated(OSSL_PARAM_BLD_new())
    // The builder only borrows what it is given.
    private var numbers: [BigNumber] = []
    private var octets: [Secret] = []

    deinit {
        OSSL_PARAM_BLD_free(builder)
    }

    private static func text(_ name: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    mutating func add(_ name: StaticString, _ number: BigNumber, length: Int? = nil) {
        let length = length ?? max(number.byteCount, 1)
        let added = OSSL_PARAM_BLD_push_BN_pad(builder, Self.text(name), number.pointer, length)
        precondition(added == 1, "OpenSSL is out of memory")
        numbers.append(number)
    }

    func add(_ name: StaticString, text: StaticString) {
        let added = OSSL_PARAM_BLD_push_utf8_string(builder, Self.text(name), Self.text(text), text.utf8CodeUnitCount)
        precondition(added == 1, "OpenSSL is out of memory")
    }

    mutating func add(_ name: StaticString, octets bytes: [UInt8]) {
        // The builder keeps the pointer, so the bytes are given a place that stays.
        let place = Secret(bytes)
        let added = place.withBytes {
            OSSL_PARAM_BLD_push_octet_string(builder, Self.text(name), $0.baseAddress, $0.count)
        }
        precondition(added == 1, "OpenSSL is out of memory")
        octets.append(place)
    }

    /// `selection` says whether the numbers are those of a public key or of a pair.
    func makeKey(_ type: String, selection: Int32) throws(CryptoError) -> KeyHandle {
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { throw .library("collecting the key's numbers") }
        defer { OSSL_PARAM_free(parameters) }
        let context = allocated(EVP_PKEY_CTX_new_from_name(nil, type, nil))
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, selection, parameters) == 1,
            let key
        else { throw .library("making the key") }
        return KeyHandle(owning: key)
    }
}
#endif
