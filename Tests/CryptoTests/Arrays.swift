import Crypto

// #expect cannot take a Span apart, so the tests hand over arrays.

extension HMAC {
    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool { isValid(code.span, for: message.span) }
    func isValid(_ code: [UInt8], for message: String) -> Bool { isValid(code.span, for: message.utf8.span) }
}

extension Signer {
    func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] { try sign(message.span) }
    func sign(_ message: String) throws(CryptoError) -> [UInt8] { try sign(message.utf8.span) }
}

extension Verifier {
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool { isValid(signature.span, for: message.span) }
    func isValid(_ signature: [UInt8], for message: String) -> Bool { isValid(signature.span, for: message.utf8.span) }
}

extension AES256GCM {
    func seal(
        _ plaintext: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try seal(plaintext.span, nonce: nonce.span, authenticating: data.span)
    }

    func open(_ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]) throws(CryptoError) -> [UInt8] {
        try open(sealed.span, nonce: nonce.span, authenticating: data.span)
    }
}
