import IdentityProvider
import OAuth
import Primitives

/// A key that a token is signed with.
///
///     let key = try #require(idp.keys.all.first)
///     let token = try await idp.sign(["sub": "alice"], with: .named(key.id))
public enum TestSigningKey: Hashable, Sendable {
    /// The one of the provider that signs by this algorithm now; by that of access tokens without one.
    case active(TestAlgorithm?)
    /// One of the provider by its `kid`, also one that has retired: ``TestKey/id``.
    case named(String)
    /// A stranger's: a fresh one that is published nowhere.
    case unpublished(TestAlgorithm?)

    var choice: DirectSigning.Choice {
        switch self {
        case .active(let algorithm): .active(algorithm?.algorithm)
        case .named(let id): .named(id, nil)
        case .unpublished(let algorithm): .unpublished(algorithm?.algorithm)
        }
    }
}

extension TestIdentityProvider {
    /// Signs any claims with a key of the provider or with a stranger's, for tests of what a resource server refuses. Nothing
    /// is added to the claims. Parameters of the header are put over those that are there by themselves, but for `alg`; `nil`
    /// leaves one out, and so does a `type` of `nil`.
    ///
    ///     let stranger = try await idp.sign(["sub": "alice"], with: .unpublished(.es256))
    ///     let copied = try await idp.sign(["sub": "alice"], with: .unpublished(nil), header: ["kid": kid])
    ///     let broken = try await idp.sign(["sub": "alice"], with: .active(nil), breakingSignature: true)
    ///     let bare = try await idp.sign(["sub": "alice"], type: nil, with: .active(nil), header: ["kid": nil])
    public func sign(
        _ claims: [String: JSONValue], type: String? = "JWT", with key: TestSigningKey,
        header: [String: JSONValue] = [:], breakingSignature: Bool = false
    ) async throws(IdentityProviderTestingError) -> String {
        let signing = DirectSigning(context: context)
        do throws(DirectSigning.Failure) {
            return try signing.sign(
                JSONObject(claims), type: type, header: JSONObject(header), with: try await signing.key(key.choice),
                isBroken: breakingSignature)
        } catch {
            throw IdentityProviderTestingError(.refused, error.description)
        }
    }
}
