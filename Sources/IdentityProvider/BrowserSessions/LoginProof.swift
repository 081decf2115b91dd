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

    private func append(to bytes: inout [UInt8]) {
        bytes.append(loginID.text)
        bytes.append(UInt8(ascii: "."))
        bytes.append(secret)
    }

    /// How many accounts one browser may be logged in with.
    static let maximumCount = 5

    /// The value of a cookie: the one that was used last comes first.
    static func cookieValue(_ proofs: [LoginProof]) -> String? {
        guard !proofs.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(proofs.count * usualByteCount)
        for proof in proofs.prefix(maximumCount) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "~")) }
            proof.append(to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let usualByteCount = 72

    /// Whatever of a cookie looks like proofs.
    static func read(_ cookie: Substring) -> [LoginProof] {
        cookie.split(separator: "~").prefix(maximumCount).compactMap { LoginProof($0) }
    }
}
