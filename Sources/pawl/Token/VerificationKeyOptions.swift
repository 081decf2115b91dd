import IdentityProvider
import JOSE
import Primitives

/// Which keys a token may have been signed by.
enum VerificationKeyOptions {
    static let group = OptionGroup(title: "The keys, from any of these")

    static let key = Option.list("key", .file, in: group, "A key as PEM or JWK; - is standard input.")
    static let jwks = Option.list(
        "jwks", .file, in: group, "A set of keys, as a server publishes it; - is standard input.")
    static let keys = Option.optional(
        "keys", .directory, in: group, environment: "PAWL_KEYS", "The keys of a server's directory.")
    static let secretFile = Option.optional(
        "secret-file", .file, in: group, "A secret for HMAC: the bytes of this file, without a line feed at its end.")
    static let algorithms =
        Option.list(
            "alg", .oneOf("ALG"), in: group, defaultNote: "those that the keys are for",
            "Accept this algorithm only.") as Option<[SignatureAlgorithm]>

    static let rows = [key.row, jwks.row, keys.row, secretFile.row, algorithms.row]

    static func read(_ arguments: Arguments) throws(CommandFailure) -> VerificationKeySet {
        var candidates: [JWK] = []
        for file in arguments[key] + arguments[jwks] { candidates += try KeyMaterialFile.read(file) }
        if let file = arguments[secretFile] { candidates.append(try KeyMaterialFile.readSecret(file)) }
        // A directory in the environment gives way to keys on the command line.
        if let directory = arguments[keys], candidates.isEmpty {
            candidates = try ListKeysCommand.loadKeys(of: directory).keys.map(\.key.jwk)
        }
        guard !candidates.isEmpty else {
            throw .usage("keys are missing: --key, --jwks, --keys or --secret-file")
        }
        let accepted = arguments[algorithms].isEmpty ? SignatureAlgorithm.allCases : arguments[algorithms]
        let keys = candidates.flatMap { bind($0, accepted) }
        guard !keys.isEmpty else {
            throw .badInput(
                "none of the keys can verify with \(accepted.map(\.name).joined(separator: ", "))",
                hint: whyNot(candidates[0], accepted))
        }
        return VerificationKeySet(keys)
    }

    /// The key, bound to each algorithm that it is for: what its alg says, or else what its type allows. A type never
    /// allows both a public key and a secret, so nothing is opened by trying them all.
    private static func bind(_ jwk: JWK, _ accepted: [SignatureAlgorithm]) -> [VerificationKey] {
        accepted.compactMap { try? VerificationKey(jwk, algorithm: $0) }
    }

    /// What is wrong with the key where its type fits, or else that it does not.
    private static func whyNot(_ jwk: JWK, _ accepted: [SignatureAlgorithm]) -> String? {
        var unfit: JWKError?
        for algorithm in accepted {
            do throws(JWKError) {
                _ = try VerificationKey(jwk, algorithm: algorithm)
            } catch .unfit(let algorithm) {
                unfit = unfit ?? .unfit(algorithm)
            } catch {
                return "The first one: \(error.description)."
            }
        }
        return unfit.map { "The first one: \($0.description)." }
    }
}
