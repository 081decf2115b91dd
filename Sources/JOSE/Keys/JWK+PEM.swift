import Crypto
import Primitives

extension JWK {
    /// Reads a key from PEM: private in PKCS#8, PKCS#1 or SEC1, public in SPKI or PKCS#1.
    package init(pem: String, allowing allowances: KeyAllowances = []) throws(JWKError) {
        try self.init(pem: pem.utf8.span, allowing: allowances)
    }

    /// Reads a key from PEM: private in PKCS#8, PKCS#1 or SEC1, public in SPKI or PKCS#1.
    package init(pem: Span<UInt8>, allowing allowances: KeyAllowances = []) throws(JWKError) {
        do {
            self.init(.privateKey(try PrivateKey(pem: pem, allowing: allowances)))
        } catch CryptoError.wrongPEMContent {
            do {
                self.init(.publicKey(try PublicKey(pem: pem, allowing: allowances)))
            } catch {
                throw .refused(error)
            }
        } catch {
            throw .refused(error)
        }
    }

    /// The public half in SPKI.
    package func publicPEM() throws(JWKError) -> String {
        let key: PublicKey
        switch material {
        case .symmetric: throw .symmetricKey
        case .publicKey(let publicKey): key = publicKey
        case .privateKey(let privateKey): key = privateKey.publicKey
        }
        do { return try key.pem() } catch { throw .refused(error) }
    }

    /// The private key in PKCS#8, in the clear.
    package func privatePEM() throws(JWKError) -> Secret {
        switch material {
        case .symmetric: throw .symmetricKey
        case .publicKey: throw .privateKeyNeeded
        case .privateKey(let key):
            do { return try key.pem() } catch { throw .refused(error) }
        }
    }
}
