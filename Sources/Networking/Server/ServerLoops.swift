/// A server's parts on its loops, which connections are dealt out to in turn.
final class ServerLoops: Sendable {
    let all: [ServerLoop]
    private let turns = Turns()

    init(_ all: [ServerLoop]) {
        self.all = all
    }

    func next() -> ServerLoop { turns.next(among: all) }
}
