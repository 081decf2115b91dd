import Foundation
import HTTPMessages
import Networking
import Primitives
import Synchronization
import Testing

/// What is answered in one round of a loop goes out at its end. The loop is held up here until everything has come that
/// is to be seen in one round.
@Suite struct ServerRoundTests {
    static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Holds the server's only loop up until `body` is done.
    private static func holding(_ server: TestServer, _ body: () throws -> Void) rethrows {
        let (isHeld, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        defer { hold.signal() }
        server.group.loops[0].execute {
            isHeld.signal()
            hold.wait()
        }
        isHeld.wait()
        try body()
    }

    @Test(arguments: [1, 16, 17, 120])
    func answersAllThatAskInTheSameRound(count: Int) async throws {
        try await withServer { server in
            let sockets = try (0..<count).map { _ in try server.connect() }
            try await server.wait { $0.openConnections == count }
            try Self.holding(server) {
                for (number, socket) in sockets.enumerated() {
                    try socket.send(
                        "GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get)
                }
            }
            try await onThread {
                for (number, socket) in sockets.enumerated() {
                    #expect(try socket.receiveResponse().body == "GET /\(number) ")
                    let head = try socket.receive(until: "\r\n\r\n")
                    #expect(head.hasPrefix("HTTP/1.1 200 OK"))
                    #expect(try socket.receiveResponse().body == "GET /a ")
                }
            }
        }
    }

    /// And so where each of them has waited, as long as that took no longer than the round.
    @Test func sendsNothingBeforeAllThatWaitedInTheRoundHaveAnswered() async throws {
        let running = Mutex<TestServer?>(nil)
        let sent = Mutex<[Int]>([])
        let count = 8
        try await withServer(
            answer: { request in
                guard let server = running.withLock({ $0 }) else { return await TestServer.echo(request) }
                await server.group.perform(NoWork())
                sent.withLock { $0.append(server.server.statistics.bytesSent) }
                return await TestServer.echo(request)
            }
        ) { server in
            running.withLock { $0 = server }
            let sockets = try (0..<count).map { _ in try server.connect() }
            try await server.wait { $0.openConnections == count }
            try Self.holding(server) {
                for socket in sockets { try socket.send(Self.get) }
            }
            try await onThread {
                for socket in sockets {
                    let response = try socket.receiveResponse()
                    #expect(response.body == "GET /a ")
                }
            }
            running.withLock { $0 = nil }
        }
        #expect(sent.withLock { $0 } == Array(repeating: 0, count: count))
    }

    @Test func servesOnWhenSomeOfThemHaveGoneMeanwhile() async throws {
        try await withServer { server in
            var sockets = try (0..<60).map { _ in try server.connect() }
            try await server.wait { $0.openConnections == 60 }
            try Self.holding(server) {
                for (number, socket) in sockets.enumerated() {
                    try socket.send(Self.get)
                    switch number % 3 {
                    case 0: break
                    case 1: socket.finishSending()
                    default:
                        var option = linger(l_onoff: 1, l_linger: 0)
                        let length = socklen_t(MemoryLayout<linger>.size)
                        setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &option, length)
                        socket.close()
                    }
                }
            }
            let open = sockets.enumerated().filter { $0.offset % 3 != 2 }.map(\.element)
            sockets = []
            try await onThread {
                for (number, socket) in open.enumerated() {
                    let response = try socket.receiveResponse()
                    #expect(response.body == "GET /a ")
                    guard number % 2 == 1 else { continue }
                    let rest = try socket.receiveAll()
                    #expect(rest == "")
                }
            }
            try await server.wait { $0.openConnections == 20 }
            withExtendedLifetime(open) {}
        }
    }

    @Test func drainsWhatIsAnsweredInTheRoundInWhichItBegins() async throws {
        let server = try await TestServer()
        let sockets = try (0..<40).map { _ in try server.connect() }
        try await server.wait { $0.openConnections == 40 }
        let hold = DispatchSemaphore(value: 0)
        server.group.loops[0].execute { hold.wait() }
        let draining = Task { await server.server.drain(within: .seconds(120)) }
        for socket in sockets { try socket.send(Self.get) }
        hold.signal()
        try await onThread {
            for socket in sockets {
                let response = try socket.receiveResponse()
                #expect(response.body == "GET /a ")
                #expect(try socket.receiveAll() == "")
                socket.close()
            }
        }
        #expect(await draining.value == 0)
        server.group.shutdown()
    }
}

private final class NoWork: BatchedWork {
    func perform() {}
}
