import Crypto
import Primitives

/// The operations that a token costs, without the token around them.
enum SignatureRows {
    /// As long as the signing input of an access token.
    static let message = [UInt8](repeating: 0x65, count: 350)

    static let names = ["rs256-sign", "ps256-sign", "es256-sign", "es256-sign-together", "es256-verify"]
    static let others = [
        "rs256-verify", "es384-sign", "es512-sign", "eddsa-sign", "eddsa-verify", "hs256", "sha256",
    ]

    static func measure(_ name: String, seconds: Double) throws -> Measurement? {
        switch name {
        case "rs256-sign": try sign(name, .rsa(bits: 2048), .rsaPKCS1(.sha256), seconds)
        case "ps256-sign": try sign(name, .rsa(bits: 2048), .rsaPSS(.sha256), seconds)
        case "es256-sign": try sign(name, .ec(.p256), .ecdsa(.p256, .sha256), seconds)
        case "es256-sign-together": try signTogether(name, seconds)
        case "es384-sign": try sign(name, .ec(.p384), .ecdsa(.p384, .sha384), seconds)
        case "es512-sign": try sign(name, .ec(.p521), .ecdsa(.p521, .sha512), seconds)
        case "eddsa-sign": try sign(name, .ed25519, .ed25519, seconds)
        case "rs256-verify": try verify(name, .rsa(bits: 2048), .rsaPKCS1(.sha256), seconds)
        case "es256-verify": try verify(name, .ec(.p256), .ecdsa(.p256, .sha256), seconds)
        case "eddsa-verify": try verify(name, .ed25519, .ed25519, seconds)
        case "hs256": authenticate(name, seconds)
        case "sha256": digest(name, seconds)
        default: nil
        }
    }

    private static func sign(
        _ name: String, _ kind: KeyKind, _ scheme: SignatureScheme, _ seconds: Double
    ) throws -> Measurement {
        let signer = try Signer(PrivateKey.generate(kind), scheme: scheme)
        var output: [UInt8] = []
        return try .rate(name, seconds: seconds) {
            output.removeAll(keepingCapacity: true)
            try signer.append(signatureOf: message.span, to: &output)
        }
    }

    /// Half as many as a loop signs at once at most.
    private static func signTogether(_ name: String, _ seconds: Double) throws -> Measurement {
        let signer = try Signer(PrivateKey.generate(.ec(.p256)), scheme: .ecdsa(.p256, .sha256))
        let messages = Array(repeating: message, count: 16)
        return try .rate(name, seconds: seconds, each: messages.count) { _ = try signer.signatures(of: messages) }
    }

    private static func verify(
        _ name: String, _ kind: KeyKind, _ scheme: SignatureScheme, _ seconds: Double
    ) throws -> Measurement {
        let key = try PrivateKey.generate(kind)
        let signature = try Signer(key, scheme: scheme).sign(message.span)
        let verifier = try Verifier(key.publicKey, scheme: scheme)
        return .rate(name, seconds: seconds) {
            precondition(verifier.isValid(signature.span, for: message.span))
        }
    }

    private static func authenticate(_ name: String, _ seconds: Double) -> Measurement {
        let hmac = HMAC(.sha256, key: Secret([UInt8](repeating: 7, count: 32)))
        let message = [UInt8](repeating: 0x65, count: 250)
        var output: [UInt8] = []
        return .rate(name, seconds: seconds) {
            output.removeAll(keepingCapacity: true)
            hmac.append(codeFor: message.span, to: &output)
        }
    }

    private static func digest(_ name: String, _ seconds: Double) -> Measurement {
        let message = [UInt8](repeating: 0x65, count: 250)
        return .rate(name, seconds: seconds) {
            _ = HashFunction.sha256.digest(message.span)
        }
    }
}
