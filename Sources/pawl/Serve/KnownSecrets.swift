import IdentityProvider
import Primitives

extension Client {
    /// Whether it is the standard one with the secret that stands in the documentation.
    var hasKnownSecret: Bool {
        sameText(id, StandardClients.serviceID)
            && secret?.matches(Secret(utf8: StandardClients.serviceSecret)) == true
    }
}

extension User {
    /// Whether the password is the name, as it is with the standard users.
    var hasKnownPassword: Bool { password?.matches(Secret(utf8: username)) == true }
}
