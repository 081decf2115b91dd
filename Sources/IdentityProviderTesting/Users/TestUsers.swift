import IdentityProvider

/// The users of a provider.
///
///     try idp.users.add(TestUser("carol"))
///     let names = idp.users.all.map(\.username)       // alice, bob, minji, haruto, carol
///     idp.users.remove("carol")
public struct TestUsers: Sendable {
    let directory: UserDirectory

    /// All of them, in the order in which they came.
    public var all: [TestUser] { directory.users.map { TestUser($0) } }

    /// Adds a user, or puts him in the place of the one with the same subject.
    ///
    ///     try idp.users.add(TestUser("alice", claims: ["name": "Alice Two"]))
    public func add(_ user: TestUser) throws(IdentityProviderTestingError) {
        do { try directory.put(try user.user()) } catch let error as IdentityProviderTestingError {
            throw error
        } catch {
            throw IdentityProviderTestingError(.badUser, "\(error)")
        }
    }

    /// Removes a user; `false` when there is none of the name.
    ///
    ///     let wasThere = idp.users.remove("bob")
    @discardableResult
    public func remove(_ username: String) -> Bool {
        guard let user = directory[username: username] else { return false }
        return directory.remove(id: user.id) != nil
    }
}
