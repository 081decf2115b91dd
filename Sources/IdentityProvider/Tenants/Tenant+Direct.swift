import OAuth
import Primitives

/// For whoever has the provider in his own process, and needs no HTTP to ask it.
extension Tenant {
    /// What it says of itself to those who reach it by this host and port, in the clear.
    package func metadata(reachedBy authority: String) throws(OAuthError) -> JSONObject {
        let issuer = try issuers.issuer(reachedBy: authority, isEncrypted: false)
        let text = issuer.metadata.bytes
        return (try? JSON(parsing: text.span))?.object ?? [:]
    }

    /// The tokens of a user for a client, without a browser.
    package func mint(
        _ order: DirectMinting.Order, reachedBy authority: String
    ) async throws(DirectMintingError) -> DirectMinting.Tokens {
        let issuer: PreparedIssuer
        do throws(OAuthError) {
            issuer = try issuers.issuer(reachedBy: authority, isEncrypted: false)
        } catch {
            throw .refused(error)
        }
        return try await DirectMinting(context: context).tokens(order, as: issuer)
    }
}
