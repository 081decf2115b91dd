import OAuth
import Primitives

extension ProviderContext {
    /// The user with this subject. Where anybody is taken for a user, there is one of every name.
    func user(withSubject id: String) -> User? {
        if let user = users[id: id] { return user }
        return configuration.allowances.contains(.anyUser) ? users.assumed(id) : nil
    }

    /// The user who proves himself by a password. Where anybody is taken for a user, every password is right.
    func user(named username: String, provenBy password: Secret) -> User? {
        if configuration.allowances.contains(.anyUser), let user = users.assumed(username) { return user }
        return users.user(username, provenBy: password)
    }
}
