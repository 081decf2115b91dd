import JOSE
import Primitives

/// Objects that no signer of ours would make, with signatures that are right for their bytes.
enum Forgery {
    /// A compact JWS with that header and payload, to the letter, signed with the key whatever the header says.
    static func compact(header: String, payload: String = #"{"sub":"alice"}"#, key: SigningKey) throws -> String {
        try compact(header: [UInt8](header.utf8), payload: [UInt8](payload.utf8), key: key)
    }

    static func compact(header: [UInt8], payload: [UInt8], key: SigningKey) throws -> String {
        try signed(Base64URL.encode(header) + "." + Base64URL.encode(payload), key: key)
    }

    /// The two segments as they are, with a signature behind them.
    static func signed(_ input: String, key: SigningKey) throws -> String {
        input + "." + Base64URL.encode(try key.sign(input.utf8.span))
    }

    /// A compact JWS with that signature.
    static func compact(algorithm: SignatureAlgorithm, signature: [UInt8]) -> String {
        Base64URL.encode([UInt8](#"{"alg":"\#(algorithm)"}"#.utf8)) + "." + Base64URL.encode([UInt8]("payload".utf8))
            + "." + Base64URL.encode(signature)
    }

    /// The token with one character of that segment replaced by another of the alphabet.
    static func tampered(_ token: String, segment: Int) -> String {
        var segments = token.split(separator: ".", omittingEmptySubsequences: false).map { [UInt8]($0.utf8) }
        let middle = segments[segment].count / 2
        segments[segment][middle] =
            segments[segment][middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return segments.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }
}
