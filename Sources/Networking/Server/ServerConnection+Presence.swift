import HTTPMessages

extension ServerConnection {
    /// Whether the client of one request is still there.
    struct Presence: ClientPresence {
        let connection: ServerConnection
        let number: Int

        func whenGone(_ body: @escaping @Sendable () -> Void) {
            connection.server.loop.execute { connection.callWhenGone(body, during: number) }
        }
    }

    private func callWhenGone(_ body: @escaping @Sendable () -> Void, during number: Int) {
        guard answering?.number == number else { return }
        if phase == .closed || hasSeenPeerFinish { return body() }
        whenGone = body
    }

    /// The client sends no more, or the connection has ended. One that has closed its side alone may still be reading, so
    /// that nothing ends by this but what somebody has asked for.
    func tellGone() {
        guard let body = whenGone else { return }
        whenGone = nil
        body()
    }
}
