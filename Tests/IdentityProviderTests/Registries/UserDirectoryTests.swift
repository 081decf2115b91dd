import IdentityProvider
import Primitives
import Testing

@Suite struct UserDirectoryTests {
    private static func user(_ name: String, id: String? = nil, password: String? = "x") throws -> User {
        try User(username: name, id: id, password: password.map { Secret(utf8: $0) })
    }

    @Test func findsByNameAndBySubject() throws {
        let users = try UserDirectory([Self.user("alice", id: "u1")])
        #expect(users[username: "alice"]?.id == "u1")
        #expect(users[id: "u1"]?.username == "alice")
        for other in ["u1", "Alice", "alice "] { #expect(users[username: other] == nil) }
        #expect(users[id: "alice"] == nil)
    }

    /// OpenID Connect Core section 2: a subject is never somebody else's.
    @Test func refusesANameOrASubjectThatIsTaken() throws {
        let users = try UserDirectory([Self.user("alice", id: "u1")])
        for user in [try Self.user("alice", id: "u2"), try Self.user("bob", id: "u1")] {
            #expect(throws: ProviderConfigurationError.self) { try users.add(user) }
        }
        try users.add(Self.user("bob", id: "u2"))
        #expect(throws: ProviderConfigurationError.self) { try users.put(Self.user("alice", id: "u2")) }
        #expect(users[username: "bob"]?.id == "u2")
    }

    @Test func aNewNameReplacesTheOld() throws {
        let users = try UserDirectory([Self.user("alice", id: "u1")])
        try users.put(Self.user("alicia", id: "u1"))
        #expect(users[username: "alice"] == nil)
        #expect(users[username: "alicia"]?.id == "u1")
        #expect(users.users.map(\.username) == ["alicia"])
        #expect(users.remove(id: "u1") != nil)
        #expect(users[username: "alicia"] == nil)
        #expect(users.users.isEmpty)
    }

    /// A store that outlives the process knows users by their stays.
    @Test func configuredUsersStayWhereTheyWereInWhateverOrderTheyCome() throws {
        let (alice, bob) = (try Self.user("alice", id: "u1"), try Self.user("bob", id: "u2"))
        let (before, after) = (try UserDirectory([alice, bob]), try UserDirectory([bob, alice]))
        for id in ["u1", "u2"] {
            #expect(before.stay(of: id) != nil)
            #expect(before.stay(of: id) == after.stay(of: id))
        }
        before.remove(id: "u1")
        try before.add(alice)
        #expect(before.stay(of: "u1") != after.stay(of: "u1"))
    }

    @Test(arguments: ["", String(repeating: "a", count: 256)])
    func refusesANameThatIsNone(name: String) {
        #expect(throws: ProviderConfigurationError.self) { try Self.user(name) }
    }

    /// OpenID Connect Core section 2: at most 255 ASCII characters.
    @Test(arguments: ["", String(repeating: "a", count: 256), "\u{E9}", "a\nb", "a\u{7F}"])
    func refusesASubjectThatIsNone(id: String) {
        #expect(throws: ProviderConfigurationError.self) { try Self.user("alice", id: id) }
    }

    @Test(arguments: ["", "X", "xx", " x", "x "])
    func refusesAWrongPassword(password: String) throws {
        let users = try UserDirectory([Self.user("alice")])
        #expect(users.user("alice", provenBy: Secret(utf8: password)) == nil)
        #expect(users.user("nobody", provenBy: Secret(utf8: password)) == nil)
    }

    @Test func aUserWithoutPasswordTakesAny() throws {
        let users = try UserDirectory([Self.user("alice", password: nil), Self.user("bob")])
        #expect(users.user("alice", provenBy: Secret(utf8: "anything"))?.id == "alice")
        #expect(users.user("bob", provenBy: Secret(utf8: "anything")) == nil)
        #expect(users.user("bob", provenBy: Secret(utf8: "x"))?.id == "bob")
    }

    @Test(arguments: 1...5)
    func theListAndTheNamesAgreeWhateverHappens(round: Int) async throws {
        let users = try UserDirectory([])
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let id = "u\(index % 7)"
                    let name = "n\(index % 5)"
                    switch index % 3 {
                    case 0: try? users.add(Self.user(name, id: id))
                    case 1: try? users.put(Self.user(name, id: id))
                    default: users.remove(id: id)
                    }
                }
            }
        }
        let all = users.users
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map(\.username)).count == all.count)
        #expect(
            all.allSatisfy { users[id: $0.id]?.username == $0.username && users[username: $0.username]?.id == $0.id })
        let named = (0..<5).compactMap { users[username: "n\($0)"] }
        #expect(named.count == all.count)
    }
}
