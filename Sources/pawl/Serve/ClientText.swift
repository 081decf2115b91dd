import IdentityProvider
import OAuth
import Primitives

/// A client as it stands on a command line: `ID:SECRET` or `ID:SECRET:SCOPE,SCOPE`.
struct ClientText: Sendable {
    let id: String
    let secret: Secret
    /// `nil`: any.
    let scope: Scope?

    static let reader = ValueReader(
        "ID:SECRET[:SCOPES]", expecting: "ID:SECRET or ID:SECRET:SCOPE,SCOPE", isSecret: true
    ) { ClientText($0) }

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        id = String(parts[0])
        secret = Secret(parts[1].utf8)
        guard parts.count == 3 else {
            scope = nil
            return
        }
        guard let scope = try? Scope(parsing: parts[2].split(separator: ",").joined(separator: " ")) else { return nil }
        self.scope = scope
    }
}
