import Primitives

/// The mapping language for claims: rules that are read once and applied, in their order, to the claims of each token
/// and each answer about a user.
///
///     [{"when": {"client": "web", "scope": ["admin", "staff"], "user": {"not": "alice"}},
///       "set": {"roles": ["admin"],
///               "greeting": "Hello {user.name}",
///               "department": {"from": "user.department", "default": "none"}},
///       "remove": ["phone_number"],
///       "in": ["access_token", "id_token"]}]
///
/// - `when`: each line must hold. Left a path, right a text, a list of which one must fit, or `{"not": …}` of either.
///   Without `when` the rule always holds.
/// - `set`: a text is a template; `{"from": path, "default": …}` copies a value of any type; `{"value": …}` is taken
///   as it is, braces and all. Where a value is missing, the claim is left out.
/// - A path begins with `user`, `client`, `tenant`, `grant`, `scope` or `request`: `user.emails.0`,
///   `request.login_hint`. In `from` it may be an array, for names with a period of their own.
/// - `in`: where it applies; without it everywhere.
package struct ClaimRules: Hashable, Sendable {
    private let rules: [ClaimRule]
    /// As they were written.
    package let json: JSON

    package static let none = ClaimRules()

    private init() {
        rules = []
        json = []
    }

    /// `place` is where in the configuration the rules stand; errors name the whole way.
    package init(parsing json: JSON, at place: JSONPath = .root) throws(ClaimRuleError) {
        guard case .array(let elements) = json else { throw .init(.notAnArray, at: place) }
        guard elements.count <= Self.maximumRuleCount else {
            throw .init(.tooMany(limit: Self.maximumRuleCount), at: place)
        }
        var rules: [ClaimRule] = []
        for (index, element) in elements.enumerated() {
            rules.append(try ClaimRule(element, at: place[index]))
        }
        self.rules = rules
        self.json = json
    }

    /// What is wrong with the rules: the first thing in each. Where it is empty, they can be parsed.
    package static func problems(in json: JSON, at place: JSONPath = .root) -> [ClaimRuleError] {
        guard case .array(let elements) = json, elements.count <= maximumRuleCount else {
            do throws(ClaimRuleError) { _ = try ClaimRules(parsing: json, at: place) } catch { return [error] }
            return []
        }
        return elements.enumerated().compactMap { index, element in
            do throws(ClaimRuleError) { _ = try ClaimRule(element, at: place[index]) } catch { return error }
            return nil
        }
    }

    package var isEmpty: Bool { rules.isEmpty }

    /// The context is not even made where there is no rule.
    package func apply(to claims: inout JSONObject, for context: @autoclosure () -> ClaimContext) {
        guard !rules.isEmpty else { return }
        let context = context()
        for rule in rules { rule.apply(to: &claims, for: context) }
    }

    package static let maximumRuleCount = 256
    /// Of one `when`, `set`, `remove`, or list of texts.
    package static let maximumEntryCount = 64
    /// Of a template or a path.
    package static let maximumTextByteCount = 4096
    package static let maximumNameByteCount = 256

    /// Claims that others trust to mean what the protocol says: whose token it is, whom it is for, when and how it may
    /// be used. Whoever wants them wrong on purpose overrides the next responses, which shows in the test that does it;
    /// a rule in a configuration would not. `acr` and `amr` are not among them: which ones a login earns is the
    /// configuration's to say.
    package static let protectedClaims: Set<String> = [
        // RFC 7519 section 4.1.
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti",
        // OpenID Connect Core sections 2 and 3.3.2.11; the logout specifications for `sid` and `events`.
        "nonce", "auth_time", "azp", "at_hash", "c_hash", "s_hash", "sid", "events",
        // RFC 7662 section 2.2, RFC 7800 section 3.1, RFC 8693 section 4, RFC 9068 section 2.2.
        "active", "token_type", "cnf", "act", "client_id", "scope",
    ]
}
