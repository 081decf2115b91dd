import IdentityProvider
import JOSE
import Primitives

/// Signs claims with the key of a provider that is active now.
struct DirectSigning {
    let context: ProviderContext

    func sign(_ claims: JSONObject, type: String?, by algorithm: SignatureAlgorithm?) async throws -> String {
        let algorithm = algorithm ?? context.configuration.accessTokens.algorithm
        try await context.prepareKeys(for: [algorithm])
        let state = context.keyRing.state(at: context.clock.now())
        guard let index = state.activeIndex(of: algorithm) else { throw KeyRingError.noActiveKey(algorithm) }
        return try JWTSigner(key: state.keys[index].key, type: type).sign(claims)
    }
}
