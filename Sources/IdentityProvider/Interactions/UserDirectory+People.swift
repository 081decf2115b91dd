import Primitives

extension UserDirectory {
    /// A user as pages show him.
    func person(of login: Login) -> PagePerson {
        guard let user = self[id: login.userID] else { return PagePerson(id: login.id.text, name: login.userID) }
        return PagePerson(id: login.id.text, name: user.displayName, note: user.displayNote)
    }

    /// Those that a login page offers by name.
    var offered: [PagePerson] {
        users.prefix(Self.maximumOfferedCount).map {
            PagePerson(id: $0.id, name: $0.displayName, note: $0.displayNote)
        }
    }

    /// More than one looks through.
    private static let maximumOfferedCount = 24
}

extension User {
    var displayName: String { claims["name"]?.string ?? username }
    fileprivate var displayNote: String? {
        claims["email"]?.string ?? (sameText(displayName, username) ? nil : username)
    }
}
