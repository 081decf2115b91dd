/// How much the proxy holds at once.
package struct ProxyLimits: Hashable, Sendable {
    /// Sessions of all users. With one more, that which was not used for longest ends.
    package var sessions = 10_000
    /// Sessions of one user, so that nobody alone can push all others out. With one more, his that was not used for longest ends.
    package var sessionsOfOneUser = 32
    /// Sessions of which nobody knows whose they are, for they came without an ID token: a quarter of all, so that one user who has
    /// many such leaves room for the others.
    package var sessionsWithoutUser: Int { max(1, sessions / 4) }
    /// Bytes of a request's content: it is held until the answer is there, for it may have to be sent again.
    package var bodyBytes = 10 << 20

    /// Bytes of an ID token, which a logout puts into an address: servers read none that is much longer. A longer one is left out.
    package var idTokenBytes = 4 << 10

    /// Sessions that are being handed over at once. Anybody can ask for that, and each has the provider asked: with one more, it is
    /// refused before that, and its token is not spent.
    package var handoversAtOnce = 16

    /// Logins that come back from the provider at once, each of which has it asked. With one more, it can be tried again: its code is
    /// not spent.
    package var loginsAtOnce = 32

    package init() {}
}
