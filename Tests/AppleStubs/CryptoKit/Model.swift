// swift-format-ignore-file
#if canImport(OpenSSLCrypto)
import OpenSSLCrypto
import Primitives

/// What CryptoKit does, done by the module `Crypto` as it is where there is no CryptoKit, compiled under another name.
enum Model {
    static func digest(_ bitCount: Int, _ message: [UInt8]) -> [UInt8] {
        let hash: OpenSSLCrypto.HashFunction = bitCount == 256 ? .sha256 : bitCount == 384 ? .sha384 : .sha512
        return hash.digest(message.span)
    }
    static func seal(_ message: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) throws -> [UInt8] {
        try AES256GCM(key: Secret(key)).seal(message.span, nonce: nonce.span, authenticating: data.span)
    }
    static func open(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) throws -> [UInt8] {
        do { return try AES256GCM(key: Secret(key)).open(sealed.span, nonce: nonce.span, authenticating: data.span) } catch {
            throw CryptoKitError.authenticationFailure
        }
    }
    static func scalar() throws -> [UInt8] {
        try PrivateKey.generate(.ec(.p256)).ecComponents!.scalar.withBytes { Array($0) }
    }
    static func point(of scalar: [UInt8]) throws -> [UInt8] {
        let point = try PrivateKey(curve: .p256, scalar: Secret(scalar)).publicKey.ecComponents!
        return point.x + point.y
    }
    static func signature(of message: [UInt8], by scalar: [UInt8]) throws -> [UInt8] {
        try Signer(PrivateKey(curve: .p256, scalar: Secret(scalar)), scheme: .ecdsa(.p256, .sha256)).sign(message.span)
    }
}
#else
/// For the compiler alone.
enum Model {
    static func digest(_ bitCount: Int, _ message: [UInt8]) -> [UInt8] { fatalError() }
    static func seal(_ message: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) throws -> [UInt8] { fatalError() }
    static func open(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) throws -> [UInt8] { fatalError() }
    static func scalar() throws -> [UInt8] { fatalError() }
    static func point(of scalar: [UInt8]) throws -> [UInt8] { fatalError() }
    static func signature(of message: [UInt8], by scalar: [UInt8]) throws -> [UInt8] { fatalError() }
}
#endif
