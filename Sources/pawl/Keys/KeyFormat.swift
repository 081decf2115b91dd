import JOSE
import Primitives

/// How a key is written.
enum KeyFormat: String, CaseIterable, Sendable {
    case jwk, jwks, pem

    /// The text of the keys. PEM: one block after the other.
    func text(of keys: [JWK], _ contents: JWK.Contents) throws(CommandFailure) -> String {
        switch self {
        case .jwks: return JWKSet(keys).json(contents).text(pretty: true)
        case .jwk:
            guard keys.count == 1 else {
                throw .usage(
                    "a JWK is one key, and there are \(keys.count)", hint: "Choose one with --kid, or --format jwks.")
            }
            guard let json = keys[0].json(contents) else { throw .refused("a symmetric key has no public part") }
            return json.text(pretty: true)
        case .pem:
            var text = ""
            for key in keys {
                do throws(JWKError) {
                    switch contents {
                    case .publicOnly: text += try key.publicPEM()
                    case .includingPrivate:
                        text += try key.privatePEM().withBytes { String(decoding: $0, as: UTF8.self) }
                    }
                } catch {
                    throw .refused(error.description)
                }
            }
            return text
        }
    }
}
