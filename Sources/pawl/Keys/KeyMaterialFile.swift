import Crypto
import JOSE
import Primitives

/// Reads keys from files as others write them: PEM, JWK, JWKS, or a bare secret.
enum KeyMaterialFile {
    /// The keys in a PEM, JWK or JWKS file, or on standard input for `-`.
    static func read(_ path: String) throws(CommandFailure) -> [JWK] {
        let bytes = try readFile(path)
        do throws(JWKError) {
            if isPEM(bytes) { return [try JWK(pem: bytes.span)] }
            let json: JSON
            do { json = try JSON(parsing: bytes.span) } catch { throw .malformed(error) }
            guard json["keys"] != nil else { return [try JWK(json: json)] }
            let set = try JWKSet(json: json)
            if set.keys.isEmpty, let reason = set.skipped.values.first { throw reason }
            return set.keys
        } catch {
            throw .badInput("\(name(of: path)): \(error.description)")
        }
    }

    /// The one key of a file.
    static func readOne(_ path: String) throws(CommandFailure) -> JWK {
        let keys = try read(path)
        guard keys.count == 1 else {
            throw .badInput("\(name(of: path)) has \(keys.count) keys", hint: "Exactly one is needed here.")
        }
        return keys[0]
    }

    /// A secret for HMAC: the bytes of a file, without a line feed at its end.
    static func readSecret(_ path: String) throws(CommandFailure) -> JWK {
        var bytes = try readFile(path)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw .badInput("\(name(of: path)) is empty") }
        // RFC 8725 section 2.1: everybody has a public key, so whoever takes one for a secret trusts everybody.
        guard !isPEM(bytes) else {
            throw .badInput("\(name(of: path)) is a PEM file, and no secret", hint: "Give it to --key.")
        }
        return JWK(.symmetric(Secret(bytes)))
    }

    private static func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FileError) { return try FileSystem.read(path) } catch { throw error.failure }
    }

    private static func name(of path: String) -> String {
        path == "-" ? "standard input" : path
    }

    private static func isPEM(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }.starts(with: "-----BEGIN ".utf8)
    }
}
