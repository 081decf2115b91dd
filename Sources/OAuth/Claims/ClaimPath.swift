import Primitives

/// The way to a value in the context: `user.address.country`, `user.emails.0`, `client.id`, `tenant`,
/// `request.login_hint`.
struct ClaimPath: Hashable, Sendable {
    enum Root: String, CaseIterable, Sendable {
        case user, client, tenant, grant, scope, request
    }

    let root: Root
    let names: [String]

    /// From a text with periods, or from the elements of an array where a name has a period of its own.
    init(_ parts: [String], at place: JSONPath) throws(ClaimRuleError) {
        guard let first = parts.first, parts.allSatisfy({ !$0.isEmpty }) else { throw .init(.emptyPath, at: place) }
        guard let root = Root.allCases.first(where: { sameText($0.rawValue, first) }) else {
            throw .init(.unknownRoot, at: place)
        }
        guard parts.count <= Self.maximumLength else { throw .init(.tooDeep(limit: Self.maximumLength), at: place) }
        self.root = root
        names = Array(parts.dropFirst())
        switch root {
        case .user, .client: break
        case .tenant, .grant, .scope:
            guard names.isEmpty else { throw .init(.rootHasNoMembers, at: place) }
        case .request:
            guard names.count == 1 else { throw .init(.requestNeedsAParameter, at: place) }
            guard !Self.secretParameters.contains(names[0]) else { throw .init(.secretParameter, at: place) }
        }
    }

    init(parsing text: String, at place: JSONPath) throws(ClaimRuleError) {
        guard text.utf8.count <= ClaimRules.maximumTextByteCount else {
            throw .init(.textTooLong(limit: ClaimRules.maximumTextByteCount), at: place)
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        try self.init(parts.map { String(Substring($0)) }, at: place)
    }

    private static let maximumLength = 8
    /// In bytes. What a stranger sends goes into tokens only as far as this.
    private static let maximumParameterByteCount = 1024

    /// Parameters that are secrets, tokens, or proofs of who one is: a claim would carry them to others.
    private static let secretParameters: Set<String> = [
        "access_token", "actor_token", "assertion", "client_assertion", "client_secret", "code", "code_verifier",
        "device_code", "id_token", "id_token_hint", "logout_token", "password", "refresh_token", "request",
        "request_uri", "software_statement", "subject_token", "token", "user_code",
    ]

    /// The value there, or nil.
    func value(in context: ClaimContext) -> JSON? {
        switch root {
        case .tenant: return .string(context.tenant)
        case .grant: return .string(context.grant)
        case .scope: return context.scope.isEmpty ? nil : .string(context.scope.text)
        case .client:
            if names.isEmpty || (names.count == 1 && sameText(names[0], "id")) { return .string(context.client) }
            return Self.descend(names, from: .object(context.clientProperties))
        case .user:
            guard let user = context.user else { return nil }
            return names.isEmpty ? .string(user) : Self.descend(names, from: .object(context.userClaims))
        case .request:
            guard let text = context.request[names[0]], text.utf8.count <= Self.maximumParameterByteCount else {
                return nil
            }
            return .string(text)
        }
    }

    private static func descend(_ names: [String], from start: JSON) -> JSON? {
        var value = start
        for name in names {
            switch value {
            case .object(let members):
                guard let member = members[name] else { return nil }
                value = member
            case .array(let elements):
                guard name.utf8.allSatisfy(\.isASCIIDigit), let index = Int(name), index < elements.count else {
                    return nil
                }
                value = elements[index]
            default: return nil
            }
        }
        // A null says that there is nothing.
        if value == .null { return nil }
        return value
    }
}
