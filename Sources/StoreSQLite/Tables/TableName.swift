/// The tables, all of one form: the number by which a row is found, of which tenant it is, under which key, what it holds,
/// and from when on it may be forgotten.
enum TableName: String, CaseIterable, Sendable {
    case codes, families, logins
    case accessTokens = "access_tokens"
    case revokedAccessTokens = "revoked_access_tokens"
    case spent
    case pushedRequests = "pushed_requests"
    case devices
    case userCodes = "user_codes"
    case consents, interactions, registrations, stays

    /// Whether its rows say of which login they are, and are found by that.
    var namesLogin: Bool { self == .families }

    /// Whether what changes of a record goes to the journal first: see ``HeadJournal``.
    var keepsHeads: Bool { self == HeadJournal.table }

    /// Whether a record that changes is there as a rule, and keeps its length.
    var keepsLength: Bool { self == .families || self == .logins }
}
