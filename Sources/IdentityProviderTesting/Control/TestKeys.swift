import IdentityProvider
import JOSE
import OAuth
import Primitives

/// The keys that sign the tokens of the provider.
///
///     let old = try #require(idp.keys.all.first)
///     try await idp.keys.rotate()                 // another one signs; the old one stays published for its tokens
///     try await idp.keys.withdraw(old.id)         // and now nobody is to trust it any more
public struct TestKeys: Sendable {
    let context: ProviderContext

    /// Those that sign, or are published still.
    public var all: [TestKey] { context.keyRing.state(at: context.clock.now()).keys.map { TestKey($0) } }

    /// Makes a new key, which signs from now on. The one before it stays published until its last token has expired.
    ///
    ///     try await idp.keys.rotate(.rs256)
    public func rotate(_ algorithm: TestAlgorithm? = nil) async throws(IdentityProviderTestingError) {
        let algorithm = algorithm?.algorithm ?? context.configuration.accessTokens.algorithm
        do {
            try await context.keySupply.rotateKey(for: algorithm, of: context.keyRing, at: context.clock.now())
        } catch {
            throw IdentityProviderTestingError(.refused, error.description)
        }
    }

    /// Takes a key away at once, as after it was stolen; `false`: there is none. If it signs, another takes its place.
    ///
    ///     let isGone = try await idp.keys.withdraw("no-such-key")
    @discardableResult
    public func withdraw(_ id: String) async throws(IdentityProviderTestingError) -> Bool {
        do {
            return try await context.keySupply.withdrawKey(id, of: context.keyRing, at: context.clock.now())
        } catch {
            throw IdentityProviderTestingError(.refused, error.description)
        }
    }
}

/// A key of the provider, without what is secret of it.
///
///     let signing = idp.keys.all.filter(\.isActive)
public struct TestKey: Hashable, Sendable {
    /// `kid`.
    public let id: String
    /// `alg`: `ES256`.
    public let algorithm: String
    /// Whether it signs. Otherwise it is published only.
    public let isActive: Bool
    /// When it was made, by the clock of the provider.
    public let createdSecondsSince1970: Double
    /// What is published of it (RFC 7517 section 4); `nil` for a secret.
    public let jwk: JSONValue?

    init(_ entry: KeyRing.Entry) {
        id = entry.key.keyID
        algorithm = entry.key.algorithm.name
        isActive = entry.role == .active
        createdSecondsSince1970 = Double(entry.created.millisecondsSinceEpoch) / 1000
        jwk = entry.key.jwk.json(.publicOnly).map { JSONValue($0) }
    }
}

extension TestIdentityProvider {
    /// The keys that sign tokens.
    ///
    ///     let signing = idp.keys.all.filter(\.isActive)
    public var keys: TestKeys { TestKeys(context: context) }

    /// Revokes a token that a client was given: a refresh token with its whole session, an access token alone. `false`: it
    /// is none of the provider's, or no good any more.
    ///
    ///     let tokens = try await idp.tokens(for: "alice", client: "web")
    ///     try await idp.revoke(tokens.accessToken)
    @discardableResult
    public func revoke(_ token: String) async throws(IdentityProviderTestingError) -> Bool {
        do throws(OAuthError) { return try await DirectRevocation(context: context).revoke(token) != nil } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }
}
