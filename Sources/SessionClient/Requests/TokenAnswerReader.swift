import HTTPMessages
import OAuth
import Primitives

/// Tells the answers of a token endpoint apart. There is an answer for whatever may come, and the one that ends a session
/// comes of nothing but a plain refusal: what was cut off, mangled or said by somebody else is never taken for one.
package struct TokenAnswerReader: Sendable {
    let receivedAt: Timestamp
    /// What was sent, and must not come back in the description of an error.
    var secrets: [Secret] = []
    /// Whether there is a key that a token of type `DPoP` could be used with.
    var hasProofKey = false
    /// Of the token that is to be replaced: what a server means that says none. `nil`: there is none to be replaced.
    var formerType: String?

    /// 256 KiB, 16 levels deep.
    private static let limits = JSONLimits(
        bytes: 256 << 10, depth: 16, stringBytes: maximumTokenByteCount, members: 1000)
    /// Of one token.
    static let maximumTokenByteCount = 128 << 10
    /// Of the value of `error`.
    static let maximumCodeByteCount = 128
    /// Of `error_description`; what is longer is cut.
    static let maximumDescriptionByteCount = 1024
    /// No access token is taken to live longer: ten years.
    package static let longestLifetime = Duration.seconds(315_360_000)

    func read(_ response: HTTPResponse, _ body: [UInt8]) -> TokenAnswer {
        if let unavailability = Unavailability(response, at: receivedAt) { return .unavailable(unavailability) }
        guard let members = try? JSON(parsing: body.span, limits: Self.limits).object else { return Self.unreadable }
        switch response.status {
        case .ok:
            return success(members, serverTime: response.serverTime)
        // RFC 6749 section 5.2 has 400 and 401; 403 is what some providers say of a grant that is over.
        case .badRequest, .unauthorized, .forbidden:
            return refusal(members).map { .refused($0) } ?? Self.unreadable
        default:
            // Redirects among them: they are not followed, for whoever stands there did not get the question.
            return Self.unreadable
        }
    }

    private static let unreadable = TokenAnswer.unavailable(Unavailability(.unreadable))

    /// RFC 6749 section 5.1. What a client needs must be there and right. What is only useful is left out where it cannot be
    /// read: the server has acted already, and whoever throws the answer away loses a token that cannot be had again.
    private func success(_ members: JSONObject, serverTime: Timestamp?) -> TokenAnswer {
        let refreshToken = Self.refreshToken(members)
        // An answer that is both a success and an error is neither.
        guard Self.present("error", in: members) == nil,
            let accessToken = Self.token("access_token", in: members), let type = tokenType(members)
        else {
            return refreshToken.map { .incomplete(TokenSuccessor(refreshToken: $0)) } ?? Self.unreadable
        }
        return .granted(
            TokenGrant(
                accessToken: accessToken, tokenType: type, expiresIn: Self.lifetime(members),
                refreshToken: refreshToken, scope: Self.scope(members), idToken: Self.token("id_token", in: members),
                receivedAt: receivedAt, serverTime: serverTime))
    }

    /// RFC 6749 section 7.1: a client MUST NOT use a token of a type that it does not understand. Section 5.1: the value has
    /// no case. A token that is bound to a key is of no use without one.
    ///
    /// Section 5.1 requires a type; of a refresh (section 6) it is known which one that was before.
    private func tokenType(_ members: JSONObject) -> String? {
        let value = Self.present("token_type", in: members)
        guard let type = value == nil ? formerType : value?.string else { return nil }
        let name = type.lowercased()
        if sameText(name, "bearer") { return type }
        return sameText(name, "dpop") && hasProofKey ? type : nil
    }

    /// RFC 6749 section A.12: a token is made of visible characters, and goes into a header field.
    private static func token(_ name: String, in members: JSONObject) -> Secret? {
        guard let text = members[name]?.string, (1...maximumTokenByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy(OAuthCharacters.isVisible)
        else { return nil }
        return Secret(utf8: text)
    }

    /// RFC 6749 section A.17 has visible characters here too. But this one goes into a form, which carries whatever it is, and whoever
    /// thinks that there is none goes on to present the one before it, which is spent.
    private static func refreshToken(_ members: JSONObject) -> Secret? {
        let text: String
        switch members["refresh_token"] {
        case .string(let string): text = string
        case .number(let number): text = number.literal
        default: return nil
        }
        return (1...maximumTokenByteCount).contains(text.utf8.count) ? Secret(utf8: text) : nil
    }

    /// RFC 6749 section A.14: digits. Fractions are rounded down, what is negative is over, and what is beyond all measure is
    /// ``longestLifetime``. Some servers write the number as a text.
    private static func lifetime(_ members: JSONObject) -> Duration? {
        let literal: String
        switch members["expires_in"] {
        case .number(let number): literal = number.literal
        case .string(let text)? where text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }):
            literal = text
        default: return nil
        }
        guard let seconds = Double(literal), !seconds.isNaN else { return nil }
        return .seconds(Int64(min(max(seconds, 0), Double(longestLifetime.inSeconds))))
    }

    /// A scope that is empty was granted nothing; one that is malformed says nothing.
    private static func scope(_ members: JSONObject) -> Scope? {
        guard let text = members["scope"]?.string else { return nil }
        return text.isEmpty ? .empty : try? Scope(parsing: text)
    }

    /// RFC 6749 section 5.2.
    private func refusal(_ members: JSONObject) -> TokenRefusal? {
        guard Self.present("access_token", in: members) == nil, let code = members["error"]?.string,
            (1...Self.maximumCodeByteCount).contains(code.utf8.count),
            code.utf8.allSatisfy(OAuthCharacters.isDescriptionByte),
            !quotesASecret(Array(code.utf8), ofAtLeast: Self.leastSecretByteCount)
        else { return nil }
        return TokenRefusal(code: code, description: description(members))
    }

    /// For the developer. Servers have been seen to quote what they were sent: then there is none.
    private func description(_ members: JSONObject) -> String? {
        guard let text = members["error_description"]?.string, !text.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        guard !quotesASecret(bytes, ofAtLeast: 1) else { return nil }
        let shown = bytes.prefix(Self.maximumDescriptionByteCount).map {
            OAuthCharacters.isDescriptionByte($0) ? $0 : UInt8(ascii: "'")
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private func quotesASecret(_ bytes: [UInt8], ofAtLeast count: Int) -> Bool {
        secrets.contains { secret in
            secret.withBytes { secret in secret.count >= count && bytes.contains(sequence: secret) }
        }
    }

    /// What is shorter may be part of a code by chance.
    private static let leastSecretByteCount = 16

    /// Some servers write null for what they do not have.
    private static func present(_ name: String, in members: JSONObject) -> JSON? {
        guard let value = members[name], value != .null else { return Optional.none }
        return value
    }
}

extension [UInt8] {
    /// Whether the bytes stand in it one behind the other.
    fileprivate func contains(sequence: UnsafeRawBufferPointer) -> Bool {
        guard sequence.count <= count else { return false }
        return (0...count - sequence.count).contains { self[$0..<$0 + sequence.count].elementsEqual(sequence) }
    }
}
