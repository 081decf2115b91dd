/// The kinds of token that the provider signs. Each that a standard gives a `typ` of its own has it, so that none passes
/// for another (RFC 8725 section 3.11).
enum TokenType: Int, CaseIterable, Sendable {
    /// RFC 9068 section 2.1.
    case accessToken
    /// OpenID Connect Core section 2.
    case idToken
    /// OpenID Connect Core section 5.3.2.
    case userInfo
    /// OpenID Connect Back-Channel Logout section 2.4.
    case logoutToken

    /// The value of `typ` in the header.
    var header: String {
        switch self {
        case .accessToken: "at+jwt"
        case .idToken, .userInfo: "JWT"
        case .logoutToken: "logout+jwt"
        }
    }
}
