import IdentityProvider
import OAuth
import Primitives

/// A public client as it stands on a command line: `ID` or `ID:REDIRECT-URI`.
struct PublicClientText: Sendable {
    let id: String
    /// `nil`: those of an application under development.
    let redirect: RedirectURI?

    static let reader = ValueReader(
        "ID[:REDIRECT-URI]", expecting: "ID or ID:REDIRECT-URI, such as app:http://localhost:3000/callback"
    ) { PublicClientText($0) }

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].isEmpty else { return nil }
        id = String(parts[0])
        guard parts.count == 2 else {
            redirect = nil
            return
        }
        guard let uri = try? RedirectURI(String(parts[1])) else { return nil }
        redirect = uri
    }
}
