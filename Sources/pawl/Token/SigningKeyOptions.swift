import IdentityProvider
import JOSE
import Primitives

/// Which key signs a token.
enum SigningKeyOptions {
    static let group = OptionGroup(title: "The key, one of these")

    static let key = Option.optional(
        "key", .file, in: group, "A private key as PEM or JWK; - is standard input.")
    static let secretFile = Option.optional(
        "secret-file", .file, in: group, "A secret for HMAC: the bytes of this file, without a line feed at its end.")
    static let keys = Option.optional(
        "keys", .directory, in: group, environment: "PAWL_KEYS",
        "The active key of a server's directory. The key stays published until the token expires, if it does.")
    static let algorithm =
        Option.optional(
            "alg", .oneOf("ALG"), in: group,
            defaultNote: "what the key says, RS256 for an RSA key in PEM, HS256 for a secret, the only one in --keys",
            "The algorithm to sign with.") as Option<SignatureAlgorithm?>
    static let keyID = Option.optional(
        "kid", .text("KID"), in: group, defaultNote: "the key's own, or its thumbprint",
        "The kid in the header, for --key and --secret-file.")

    static let rows = [key.row, secretFile.row, keys.row, algorithm.row, keyID.row]

    /// The key, for a token that expires at `expiry`.
    static func read(_ arguments: Arguments, signingUntil expiry: Timestamp?) throws(CommandFailure) -> SigningKey {
        // A directory in the environment gives way to a key on the command line.
        let directory = arguments[keys]
        switch (arguments[key], arguments[secretFile]) {
        case (let file?, nil):
            let jwk = try KeyMaterialFile.readOne(file)
            return try bind(jwk, default: .rs256, arguments)
        case (nil, let file?):
            return try bind(try KeyMaterialFile.readSecret(file), default: .hs256, arguments)
        case (nil, nil):
            guard let directory else { throw .usage("a key is missing: --key, --secret-file or --keys") }
            let store = try ListKeysCommand.existingStore(in: directory)
            do throws(KeyStoreError) {
                return try activeKey(of: store, arguments[algorithm], signingUntil: expiry)
            } catch {
                throw error.failure
            }
        default:
            throw .usage("--key and --secret-file are two keys; one signs")
        }
    }

    private static func bind(
        _ jwk: JWK, default fallback: SignatureAlgorithm, _ arguments: Arguments
    ) throws(CommandFailure) -> SigningKey {
        do throws(JWKError) {
            do throws(JWKError) {
                return try SigningKey(jwk, algorithm: arguments[algorithm], keyID: arguments[keyID])
            } catch .algorithmUndecided {
                return try SigningKey(jwk, algorithm: fallback, keyID: arguments[keyID])
            }
        } catch {
            throw .badInput(error.description)
        }
    }

    /// The key that signs now. The expiry is kept before the token exists, and while no server and nobody else can let
    /// the key retire: it could go before the token does.
    private static func activeKey(
        of store: KeyStore, _ algorithm: SignatureAlgorithm?, signingUntil expiry: Timestamp?
    ) throws(KeyStoreError) -> SigningKey {
        try store.update { state throws(KeyStoreError) in
            state.catchUp(to: SystemWallClock().now(), by: .fromOutside)
            let key = try choose(algorithm, from: state, of: store)
            if let expiry {
                try KeyStoreError.rejecting { () throws(KeyRingError) in
                    try state.noteToken(signedBy: key.keyID, expiring: expiry, by: .fromOutside)
                }
            }
            return key
        }
    }

    private static func choose(
        _ algorithm: SignatureAlgorithm?, from state: KeyRing.State, of store: KeyStore
    ) throws(KeyStoreError) -> SigningKey {
        let active = state.keys.filter { $0.role == .active }.map(\.key)
        if let algorithm {
            guard let key = active.first(where: { $0.algorithm == algorithm }) else {
                throw .rejected(reason: "no key in \(store.directory) signs with \(algorithm)")
            }
            return key
        }
        guard active.count == 1 else {
            throw .severalAlgorithms(path: store.directory, names: active.map(\.algorithm.name))
        }
        return active[0]
    }
}
