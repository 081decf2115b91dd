import HTTPMessages
import HTTPWire
import Networking
import Testing

/// The corpus of attacks of the parser, over real connections: what the parser refuses must end the connection, and
/// nothing that came after it may be answered.
@Suite(.timeLimit(.minutes(2))) struct RawSocketSmugglingTests {
    /// Sends every row on a connection of its own, cut by `cut`, and hands on what came back.
    private func sendAll(
        _ fixtures: [RawSocketFixture], then more: String = "", halfClose: Bool = false, pieceBytes: Int = .max,
        _ check: @escaping @Sendable (RawSocketFixture, RawSocketAnswer) -> Void
    ) async throws {
        try await withServer { server in
            try await onThread {
                for fixture in fixtures {
                    let socket = try server.connect()
                    try socket.send(fixture.bytes + Array(more.utf8), inPiecesOf: pieceBytes)
                    if halfClose { socket.finishSending() }
                    check(fixture, try socket.receiveAnswer(to: Array(fixture.methods.prefix(fixture.completeCount))))
                }
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    /// The request that follows an attack must never be answered: it may be the attacker's.
    @Test(arguments: [Int.max, 1, 7])
    func refusesWhatTheParserRefusesAndNothingComesAfter(pieceBytes: Int) async throws {
        let rejected = RawSocketFixture.all.filter { $0.expect == "reject" }
        #expect(rejected.count > 200)
        try await sendAll(rejected, pieceBytes: pieceBytes) { fixture, answer in
            #expect(answer.failure == nil, "\(fixture.id)")
            #expect(answer.statuses.count == fixture.completeCount + 1, "\(fixture.id)")
            #expect(answer.statuses.dropLast().allSatisfy { $0 == 200 }, "\(fixture.id)")
            #expect(answer.statuses.last == fixture.status, "\(fixture.id)")
            #expect(answer.responses.last?.head.keepAlive == false, "\(fixture.id)")
        }
    }

    @Test
    func answersNothingThatFollowsAnAttack() async throws {
        let rejected = RawSocketFixture.all.filter { $0.expect == "reject" }
        let smuggled = "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
        try await sendAll(rejected, then: smuggled) { fixture, answer in
            #expect(answer.statuses.count == fixture.completeCount + 1, "\(fixture.id)")
            #expect(answer.responses.allSatisfy { !$0.body.contains("smuggled") }, "\(fixture.id)")
        }
    }

    @Test
    func answersWhatTheParserAccepts() async throws {
        let accepted = RawSocketFixture.all.filter { $0.expect == "accept" }
        try await sendAll(accepted, halfClose: true) { fixture, answer in
            #expect(answer.failure == nil, "\(fixture.id)")
            #expect(answer.statuses == Array(repeating: 200, count: fixture.completeCount), "\(fixture.id)")
        }
    }

    /// The client says that no more comes: what was complete is answered, and the rest refused.
    @Test
    func refusesWhatIsCutOff() async throws {
        let cut = RawSocketFixture.all.filter { $0.expect == "wait" && !["", "\r\n"].contains($0.data) }
        try await sendAll(cut, halfClose: true) { fixture, answer in
            #expect(answer.failure == nil, "\(fixture.id)")
            #expect(
                answer.statuses == Array(repeating: 200, count: fixture.completeCount) + [400], "\(fixture.id)")
        }
    }
}

extension TestSocket {
    /// The server may have refused and closed before everything is sent.
    fileprivate func send(_ bytes: [UInt8], inPiecesOf count: Int) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(count)
            do { try send(Array(piece)) } catch { return }
            rest = rest.dropFirst(piece.count)
        }
    }
}
