/// What a real provider must never allow, and a tester may want: each has to be asked for by name.
package struct Allowances: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Clients that nobody registered are taken as they come, with any secret and any redirect URI.
    package static let anyClient = Allowances(rawValue: 1)
    /// Whoever logs in is taken for a user, by any name and with any password.
    package static let anyUser = Allowances(rawValue: 2)
    /// Nobody is asked who he is: the user of `login_hint` is logged in, or else the first one.
    package static let automaticLogin = Allowances(rawValue: 4)
}
