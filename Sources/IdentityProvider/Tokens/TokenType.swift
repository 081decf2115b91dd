/// The kinds of token that the provider signs. Each has a `typ` of its own, so that none passes for another
/// (RFC 8725 section 3.11).
enum TokenType: Int, CaseIterable, Sendable {
    /// RFC 9068 section 2.1.
    case accessToken

    /// The value of `typ` in the header.
    var header: String {
        switch self {
        case .accessToken: "at+jwt"
        }
    }
}
