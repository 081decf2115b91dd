import COpenSSL

/// What HMAC costs with nothing around it: OpenSSL called as from C, on bytes that are there already.
///
/// There are two ways to have the key prepared; the faster one is the limit.
enum BareHMAC {
    static let key = [UInt8](repeating: 7, count: 32)

    static func rate(_ name: String, over message: [UInt8], seconds: Double) -> Measurement {
        let copied = copyingSignatureContext(name, message, seconds / 2)
        let restarted = restartingMACContext(name, message, seconds / 2)
        return copied.perSecond > restarted.perSecond ? copied : restarted
    }

    /// EVP_DigestSign on a copy of a prepared context.
    static func copyingSignatureContext(_ name: String, _ message: [UInt8], _ seconds: Double) -> Measurement {
        let digest = EVP_MD_fetch(nil, "SHA256", nil)
        let macKey = EVP_PKEY_new_raw_private_key_ex(nil, "HMAC", nil, key, key.count)
        let prepared = EVP_MD_CTX_new()
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_MD_CTX_free(prepared)
            EVP_PKEY_free(macKey)
            EVP_MD_free(digest)
        }
        precondition(EVP_DigestSignInit(prepared, nil, digest, nil, macKey) == 1)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { code in
            message.withUnsafeBufferPointer { message in
                .rate(name, seconds: seconds) {
                    var length = 32
                    let copied = EVP_MD_CTX_copy_ex(context, prepared)
                    let signed = EVP_DigestSign(context, code.baseAddress, &length, message.baseAddress, message.count)
                    precondition(copied == 1 && signed == 1)
                }
            }
        }
    }

    /// EVP_MAC_init without a key, which starts over with the one before.
    static func restartingMACContext(_ name: String, _ message: [UInt8], _ seconds: Double) -> Measurement {
        let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
        let context = EVP_MAC_CTX_new(algorithm)
        defer {
            EVP_MAC_CTX_free(context)
            EVP_MAC_free(algorithm)
        }
        var digestName = Array("SHA256".utf8CString)
        return digestName.withUnsafeMutableBufferPointer { digestName in
            var parameters = [
                OSSL_PARAM_construct_utf8_string("digest", digestName.baseAddress, 0), OSSL_PARAM_construct_end(),
            ]
            precondition(EVP_MAC_init(context, key, key.count, &parameters) == 1)
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { code in
                message.withUnsafeBufferPointer { message in
                    .rate(name, seconds: seconds) {
                        var length = 0
                        let started = EVP_MAC_init(context, nil, 0, nil)
                        let updated = EVP_MAC_update(context, message.baseAddress, message.count)
                        let finished = EVP_MAC_final(context, code.baseAddress, &length, 32)
                        precondition(started == 1 && updated == 1 && finished == 1)
                    }
                }
            }
        }
    }
}
