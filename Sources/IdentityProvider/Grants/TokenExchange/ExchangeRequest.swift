import OAuth
import Primitives

/// The parameters of an exchange (RFC 8693 section 2.1).
struct ExchangeRequest: Sendable {
    let subject: Token
    let actor: Token?
    let requestedType: ExchangeTokenType
    /// The logical names and the URIs of those who shall take the token, each once.
    let targets: [String]

    /// A token as it was presented, and what it is said to be.
    struct Token: Sendable {
        let text: String
        let type: ExchangeTokenType
    }

    /// In bytes of one name of an audience.
    static let maximumAudienceByteCount = 2048

    init(_ form: FormParameters) throws(OAuthError) {
        guard let subject = form["subject_token"] else {
            throw OAuthError(.invalidRequest, "subject_token is missing")
        }
        guard let type = form["subject_token_type"] else {
            throw OAuthError(.invalidRequest, "subject_token_type is missing")
        }
        self.subject = Token(text: subject, type: try Self.type(type, "subject_token_type", of: .allCases))
        actor = try Self.actor(in: form)
        requestedType =
            try form["requested_token_type"].map { text throws(OAuthError) in
                try Self.type(text, "requested_token_type", of: [.accessToken, .refreshToken, .idToken])
            } ?? .accessToken
        targets = try Self.targets(in: form)
    }

    /// RFC 8693 section 2.1: actor_token_type is REQUIRED when there is an actor_token, and MUST NOT be there otherwise.
    private static func actor(in form: FormParameters) throws(OAuthError) -> Token? {
        switch (form["actor_token"], form["actor_token_type"]) {
        case (nil, nil): return nil
        case (nil, _?): throw OAuthError(.invalidRequest, "actor_token_type is there without an actor_token")
        case (_?, nil): throw OAuthError(.invalidRequest, "actor_token_type is missing")
        case (let text?, let type?):
            return Token(
                text: text, type: try Self.type(type, "actor_token_type", of: [.accessToken, .idToken, .jwt]))
        }
    }

    private static func type(
        _ text: String, _ parameter: String, of known: [ExchangeTokenType]
    ) throws(OAuthError) -> ExchangeTokenType {
        guard let type = known.first(where: { sameText($0.rawValue, text) }) else {
            let names = known.map(\.rawValue).joined(separator: ", ")
            throw OAuthError(.invalidRequest, "\(parameter) is one of \(names)")
        }
        return type
    }

    /// RFC 8693 section 2.1: resource and audience may both be there, several times each.
    private static func targets(in form: FormParameters) throws(OAuthError) -> [String] {
        var targets = try ResourceIndicator.all(of: form).map(\.text)
        for audience in form[values: "audience"] where !targets.contains(where: { sameText($0, audience) }) {
            guard audience.utf8.count <= maximumAudienceByteCount, targets.count < ResourceIndicator.maximumCount else {
                throw OAuthError(.invalidTarget, "more audiences, or longer names, than anybody has")
            }
            targets.append(audience)
        }
        return targets
    }
}

extension [ExchangeTokenType] {
    fileprivate static var allCases: Self { ExchangeTokenType.allCases }
}
