import JOSE
import Primitives

/// Claims that a policy accepts, to be spoilt one by one.
struct PolicyTrial {
    let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let key = TestKeys.key(.hs256)
    let policy = JWTPolicy(issuer: .exactly("https://issuer.example"), audience: .oneOf(["api", "other-api"]))
    let good: JSONObject = [
        "iss": "https://issuer.example", "aud": "api", "sub": "alice", "exp": 1_700_000_300, "iat": 1_699_999_990,
    ]

    /// Why the token with the changed claims is refused; nil if it is accepted.
    func refusal(
        _ policy: JWTPolicy? = nil, type: String? = nil, at moment: Timestamp? = nil,
        changing change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JWTError? {
        var claims = good
        change(&claims)
        let token = try JWTSigner(key: key, type: type).sign(claims)
        do throws(JWTError) {
            _ = try (policy ?? self.policy).verify(token, keys: TestKeys.everything, at: moment ?? now)
            return nil
        } catch {
            return error
        }
    }

    /// The claims of a token with that payload, whatever they say.
    func claims(text: String) throws -> JWTClaims {
        let token = try Forgery.compact(header: #"{"alg":"HS256"}"#, payload: text, key: key)
        let anything = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
        return try anything.verify(token, keys: TestKeys.everything, at: now).claims
    }
}
