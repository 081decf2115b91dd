import IdentityProvider

/// The users of a provider.
///
///     try idp.users.add(TestUser("carol"))
///     let names = idp.users.all.map(\.username)       // alice, bob, minji, haruto, carol
///     try await idp.users.remove("carol")
public struct TestUsers: Sendable {
    let context: ProviderContext
    private var directory: UserDirectory { context.users }

    /// All of them, in the order in which they came.
    public var all: [TestUser] { directory.users.map { TestUser($0) } }

    /// The user of this name; his password it does not give.
    ///
    ///     let subject = idp.users["alice"]?.subject
    public subscript(username: String) -> TestUser? { directory[username: username].map { TestUser($0) } }

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

    /// Removes a user, and ends what he has authorised; `false` when there is none of the name.
    ///
    ///     let wasThere = try await idp.users.remove("bob")
    @discardableResult
    public func remove(_ username: String) async throws(IdentityProviderTestingError) -> Bool {
        guard let user = directory[username: username], directory.remove(id: user.id) != nil else { return false }
        try await context.forget(users: [user.id])
        return true
    }
}
