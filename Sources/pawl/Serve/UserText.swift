import IdentityProvider
import Primitives

/// A user as he stands on a command line: `NAME` or `NAME:PASSWORD`.
struct UserText: Sendable {
    let user: User

    static let reader = ValueReader(
        "NAME[:PASSWORD]", expecting: "NAME or NAME:PASSWORD", isSecret: true
    ) { UserText($0) }

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 1 || !parts[1].isEmpty else { return nil }
        let name = parts[0]
        let claims: JSONObject = ["name": .string(name), "preferred_username": .string(name)]
        let password = parts.count == 2 ? Secret(utf8: parts[1]) : nil
        guard let user = try? User(username: name, password: password, claims: claims) else { return nil }
        self.user = user
    }
}
