import Primitives
import Synchronization

/// Those who can log in, found by the name they type and by the subject of their tokens.
package final class UserDirectory: Sendable {
    private struct Contents {
        var byUsername: [ExactText: User] = [:]
        var byID: [ExactText: User] = [:]
        /// By the subject; see ``UserDirectory/stay(of:)``.
        var stays: [ExactText: Int] = [:]
        var lastStay = 0
        /// Those who were taken as they came.
        var assumed: Set<ExactText> = []
        var hasLostSomebody = false
        /// Subjects, in the order in which they came.
        var order: [String] = []
    }

    private let contents: Mutex<Contents>
    /// Compared with where there is no user, so that a wrong name takes as long as a wrong password.
    private let nobody = SharedSecret(Secret(randomByteCount: 32, from: SystemRandom()))

    /// Users come from the control API and from logins of anybody: there is an end to it.
    package static let maximumCount = 100_000

    package init(_ users: [User]) throws(ProviderConfigurationError) {
        contents = Mutex(Contents())
        for user in users { try add(user) }
        // As with clients, in whatever order they come: a store may know them from before the last start.
        contents.withLock { contents in
            contents.stays = contents.stays.mapValues { _ in 0 }
            contents.lastStay = 0
        }
    }

    package subscript(id id: String) -> User? { contents.withLock { $0.byID[ExactText(id)] } }

    package subscript(username username: String) -> User? {
        contents.withLock { $0.byUsername[ExactText(username)] }
    }

    /// Numbers the stays of users: whoever is removed and comes back has another number, so that what was begun for him
    /// before can be told from what is his now. `nil`: nobody has the subject.
    package func stay(of id: String) -> Int? { contents.withLock { $0.stays[ExactText(id)] } }

    /// The one who came first.
    package var first: User? {
        contents.withLock { contents in contents.order.first.flatMap { contents.byID[ExactText($0)] } }
    }

    /// The first, in no order, whom `isWanted` picks.
    package func first(where isWanted: (User) -> Bool) -> User? {
        contents.withLock { contents in contents.byID.values.first(where: isWanted) }
    }

    package var users: [User] {
        contents.withLock { contents in contents.order.compactMap { contents.byID[ExactText($0)] } }
    }

    /// The numbers of those who did not come by themselves, by their subjects, and the last that was given.
    var stays: (numbers: [(String, Int)], last: Int) {
        contents.withLock { contents in
            let known = contents.order.filter { !contents.assumed.contains(ExactText($0)) }
            return (known.compactMap { id in contents.stays[ExactText(id)].map { (id, $0) } }, contents.lastStay)
        }
    }

    /// Goes on with the stays of an earlier run. Whoever is here and was not there begins another.
    func resume(_ records: [StayRecord], after last: Int) {
        contents.withLock { contents in
            contents.lastStay = last
            let numbers = Dictionary(records.map { (ExactText($0.id), $0.number) }, uniquingKeysWith: { $1 })
            for id in contents.order {
                if let number = numbers[ExactText(id)] {
                    contents.stays[ExactText(id)] = number
                } else {
                    contents.lastStay += 1
                    contents.stays[ExactText(id)] = contents.lastStay
                }
            }
        }
    }

    /// The stay of a user who is there, or would be as soon as he is taken as he comes.
    func stay(ofAnybody id: String) -> Int? {
        contents.withLock { contents in
            contents.stays[ExactText(id)] ?? (contents.hasLostSomebody ? nil : 0)
        }
    }

    /// Adds a user, unless somebody has the name or the subject.
    ///
    /// - Parameter isAssumed: whether he is taken as he comes. Such a one is there again in the next run, in the same stay, as
    ///   long as nobody was removed.
    package func add(_ user: User, isAssumed: Bool = false) throws(ProviderConfigurationError) {
        try contents.withLock { contents throws(ProviderConfigurationError) in
            guard contents.byUsername[ExactText(user.username)] == nil, contents.byID[ExactText(user.id)] == nil else {
                throw .userGivenTwice(user.username)
            }
            guard contents.order.count < Self.maximumCount else { throw .tooManyUsers }
            Self.insert(user, into: &contents)
            guard isAssumed else { return }
            contents.assumed.insert(ExactText(user.id))
            if !contents.hasLostSomebody { contents.stays[ExactText(user.id)] = 0 }
        }
    }

    /// Puts `user` in the place of whoever has the subject, or adds him.
    package func put(_ user: User) throws(ProviderConfigurationError) {
        try contents.withLock { contents throws(ProviderConfigurationError) in
            if let other = contents.byUsername[ExactText(user.username)], !sameText(other.id, user.id) {
                throw .userGivenTwice(user.username)
            }
            if let former = contents.byID[ExactText(user.id)] {
                contents.byUsername[ExactText(former.username)] = nil
                contents.byUsername[ExactText(user.username)] = user
                contents.byID[ExactText(user.id)] = user
                contents.assumed.remove(ExactText(user.id))
            } else {
                guard contents.order.count < Self.maximumCount else { throw .tooManyUsers }
                Self.insert(user, into: &contents)
            }
        }
    }

    /// Puts each of these in the place of whoever has his subject, or adds him, in one step, so that they may take names from
    /// one another and none of them is ever away. Whoever else has a name of theirs goes. Each name, and each subject, is
    /// there once.
    func putAll(_ users: [User]) throws(ProviderConfigurationError) {
        try contents.withLock { contents throws(ProviderConfigurationError) in
            let staying = Set(users.map { ExactText($0.id) })
            for user in users {
                guard let other = contents.byUsername[ExactText(user.username)], !sameText(other.id, user.id) else {
                    continue
                }
                contents.byUsername[ExactText(user.username)] = nil
                if !staying.contains(ExactText(other.id)) { Self.remove(other, from: &contents) }
            }
            for user in users {
                guard let former = contents.byID[ExactText(user.id)] else {
                    guard contents.order.count < Self.maximumCount else { throw .tooManyUsers }
                    Self.insert(user, into: &contents)
                    continue
                }
                // Somebody may have his former name by now.
                let formerName = ExactText(former.username)
                if contents.byUsername[formerName].map({ sameText($0.id, user.id) }) == true {
                    contents.byUsername[formerName] = nil
                }
                contents.byUsername[ExactText(user.username)] = user
                contents.byID[ExactText(user.id)] = user
                contents.assumed.remove(ExactText(user.id))
            }
        }
    }

    /// Changes the user of a name, or makes one, in one step: of two who do so at once, the second sees what the first did.
    ///
    /// - Parameter body: told who has the name; gives who has it from then on.
    /// - Returns: `nil` when somebody else has the subject, or there are too many; then nothing has changed.
    package func change<Failure: Error>(
        _ username: String, by body: (User?) throws(Failure) -> User
    ) throws(Failure) -> (user: User, isNew: Bool)? {
        try contents.withLock { contents throws(Failure) in
            let former = contents.byUsername[ExactText(username)]
            let user = try body(former)
            precondition(sameText(user.username, username), "a user keeps his name")
            if let other = contents.byID[ExactText(user.id)], !sameText(other.username, username) { return nil }
            guard let former else {
                guard contents.order.count < Self.maximumCount else { return nil }
                Self.insert(user, into: &contents)
                return (user, true)
            }
            contents.byID[ExactText(former.id)] = nil
            contents.byID[ExactText(user.id)] = user
            contents.byUsername[ExactText(username)] = user
            contents.assumed.remove(ExactText(former.id))
            if !sameText(former.id, user.id) {
                contents.hasLostSomebody = true
                contents.stays[ExactText(former.id)] = nil
                Self.beginStay(of: user, in: &contents)
            }
            if let index = contents.order.firstIndex(where: { sameText($0, former.id) }) {
                contents.order[index] = user.id
            }
            return (user, false)
        }
    }

    private static func insert(_ user: User, into contents: inout Contents) {
        contents.byUsername[ExactText(user.username)] = user
        contents.byID[ExactText(user.id)] = user
        contents.order.append(user.id)
        beginStay(of: user, in: &contents)
    }

    private static func beginStay(of user: User, in contents: inout Contents) {
        contents.lastStay += 1
        contents.stays[ExactText(user.id)] = contents.lastStay
    }

    /// The user that was there. What hangs on him is ended by `SessionDirectory.forget(users:clients:)`.
    @discardableResult
    package func remove(id: String) -> User? {
        contents.withLock { contents in
            guard let user = contents.byID[ExactText(id)] else { return nil }
            contents.byUsername[ExactText(user.username)] = nil
            Self.remove(user, from: &contents)
            return user
        }
    }

    /// All but his name, which somebody else may have by now.
    private static func remove(_ user: User, from contents: inout Contents) {
        contents.byID[ExactText(user.id)] = nil
        contents.stays[ExactText(user.id)] = nil
        contents.assumed.remove(ExactText(user.id))
        contents.hasLostSomebody = true
        contents.order.removeAll { sameText($0, user.id) }
    }

    /// Puts these in the place of all. Each name, and each subject, is there once.
    func replaceAll(by users: [User]) {
        contents.withLock { contents in
            let lastStay = contents.lastStay
            contents = Contents()
            contents.lastStay = lastStay
            contents.hasLostSomebody = true
            for user in users { Self.insert(user, into: &contents) }
        }
    }

    /// The user who proves himself by a password.
    package func user(_ username: String, provenBy password: Secret) -> User? {
        let user = self[username: username]
        if let user, user.password == nil { return user }
        let isProven = (user?.password ?? nobody).matches(password)
        return isProven ? user : nil
    }
}
