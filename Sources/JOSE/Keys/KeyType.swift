/// The `kty` values of RFC 7518 section 6.1 and RFC 8037 section 2.
package enum KeyType: String, Sendable, Hashable, CaseIterable {
    case oct
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
}
