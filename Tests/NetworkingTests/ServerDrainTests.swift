import Foundation
import HTTPMessages
import Networking
import Testing

@Suite struct ServerDrainTests {
    static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func finishesWhatRunsAndClosesTheRest() async throws {
        let gate = Gate()
        let server = try await TestServer(answer: { request in
            if request.head.path == "/slow" { await gate.wait() }
            return await TestServer.echo(request)
        })
        let idle = try server.connect()
        try idle.send(Self.get)
        _ = try await onThread { try idle.receiveResponse() }
        let busy = try server.connect()
        try busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        try await server.wait { $0.bytesReceived > 50 }
        let draining = Task { await server.server.drain(within: .seconds(120)) }
        // The idle one is closed while the other is still being answered.
        try await onThread {
            let rest = try idle.receiveAll()
            #expect(rest == "")
        }
        #expect(throws: TestSocket.Failure.self) { try server.connect() }
        await gate.open()
        try await onThread {
            let response = try busy.receiveResponse()
            #expect(response.body == "GET /slow ")
            #expect(response["connection"] == "close")
            #expect(try busy.receiveAll() == "")
        }
        busy.close()
        #expect(await draining.value == 0)
        server.group.shutdown()
    }

    @Test func anEmptyLineAfterARequestDoesNotHoldItUp() async throws {
        let server = try await TestServer(configure: { $0.deadlines.head = .seconds(600) })
        let socket = try server.connect()
        try socket.send(Self.get + "\r\n")
        try await server.wait { $0.bytesReceived == Self.get.utf8.count + 2 }
        #expect(await server.server.drain(within: .seconds(120)) == 0)
        try await onThread {
            let response = try socket.receiveResponse()
            #expect(response.status == 200)
            #expect(try socket.receiveAll() == "")
        }
        server.group.shutdown()
    }

    @Test func answersWhatHadBeenSentAlready() async throws {
        let gate = Gate()
        let server = try await TestServer(answer: { request in
            await gate.wait()
            return await TestServer.echo(request)
        })
        let socket = try server.connect()
        try socket.send(Self.get + Self.get + Self.get)
        try await server.wait { $0.bytesReceived >= 3 * Self.get.utf8.count }
        let draining = Task { await server.server.drain(within: .seconds(120)) }
        await gate.open()
        try await onThread {
            for _ in 0..<3 {
                let response = try socket.receiveResponse()
                #expect(response.status == 200)
            }
            #expect(try socket.receiveAll() == "")
        }
        socket.close()
        #expect(await draining.value == 0)
        server.group.shutdown()
    }

    @Test func cutsOffWhatIsNotDoneInTime() async throws {
        let gate = Gate()
        let server = try await TestServer(answer: { request in
            await gate.wait()
            return await TestServer.echo(request)
        })
        let socket = try server.connect()
        try socket.send(Self.get)
        try await server.wait { $0.bytesReceived > 0 }
        #expect(await server.server.drain(within: .milliseconds(50)) == 1)
        try await onThread {
            #expect(throws: TestSocket.Failure.self) { try socket.receiveAll() }
        }
        await gate.open()
        server.group.shutdown()
    }

    @Test func aConnectionThatNeverSaidAnythingDoesNotHoldItUp() async throws {
        let server = try await TestServer(configure: { $0.deadlines.drainGrace = .milliseconds(20) })
        let socket = try server.connect()
        try await server.wait { $0.openConnections == 1 }
        let begin = ContinuousClock.now
        #expect(await server.server.drain(within: .seconds(120)) == 0)
        #expect(ContinuousClock.now - begin < .seconds(100))
        try await onThread {
            let rest = try socket.receiveAll()
            #expect(rest == "")
        }
        server.group.shutdown()
    }

    @Test(arguments: [1, 3])
    func endsAtOnceWithNothingToDo(loops: Int) async throws {
        let server = try await TestServer(loops: loops)
        #expect(await server.server.drain(within: .seconds(120)) == 0)
        #expect(await server.server.drain(within: .seconds(120)) == 0)
        server.group.shutdown()
    }
}
