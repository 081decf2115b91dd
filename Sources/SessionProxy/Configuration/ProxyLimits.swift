/// How much the proxy holds at once.
package struct ProxyLimits: Hashable, Sendable {
    /// Sessions of all users. With one more, that which was not used for longest ends.
    package var sessions = 10_000
    /// Sessions of one user, so that nobody alone can push all others out. With one more, his that was not used for longest ends.
    package var sessionsOfOneUser = 32
    /// Bytes of a request's content: it is held until the answer is there, for it may have to be sent again.
    package var bodyBytes = 10 << 20

    package init() {}
}
