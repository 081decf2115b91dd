import Primitives

/// What a browser shows for one login: which it is, and the secret that it was given. The store has the secret's digest
/// alone, and `sid`, which clients see, is not the secret.
struct LoginProof: Sendable {
    let loginID: LoginID
    let secret: String

    /// 256 bits.
    static let secretByteCount = 32

    init(of loginID: LoginID, from random: any RandomSource) {
        self.loginID = loginID
        secret = random.identifier(byteCount: Self.secretByteCount)
    }

    private init?(_ text: Substring) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        loginID = LoginID(String(parts[0]))
        secret = String(parts[1])
    }

    var digest: TokenDigest { TokenDigest(of: secret) }

    private var text: String { "\(loginID.text).\(secret)" }

    /// How many accounts one browser may be logged in with.
    static let maximumCount = 5

    /// The value of a cookie: the one that was used last comes first.
    static func cookieValue(_ proofs: [LoginProof]) -> String? {
        proofs.isEmpty ? nil : proofs.prefix(maximumCount).map(\.text).joined(separator: "~")
    }

    /// Whatever of a cookie looks like proofs.
    static func read(_ cookie: Substring) -> [LoginProof] {
        cookie.split(separator: "~").prefix(maximumCount).compactMap { LoginProof($0) }
    }
}
