import Primitives

extension UserDirectory {
    /// The user of this name, made on the fly: for providers that take whoever comes. `nil` when there can be none of
    /// such a name, or no more.
    func assumed(_ username: String) -> User? {
        if let user = self[username: username] { return user }
        let claims: JSONObject = ["name": .string(username), "preferred_username": .string(username)]
        guard let user = try? User(username: username, claims: claims) else {
            return nil
        }
        // Of two requests that come at once, one makes him, and both get the same.
        do { try add(user, isAssumed: true) } catch { return self[username: username] }
        return user
    }
}
