import Foundation
import HTTPMessages
import Networking
import Synchronization
import Testing

/// Whatever a handler does with tasks and executors, its answer arrives, and on the right connection.
@Suite struct HandlerTests {
    struct Broken: Error {}

    actor Elsewhere {
        func throwing() async throws { throw Broken() }
        func value() -> Int { 1 }
    }

    @globalActor actor Third {
        static let shared = Third()
    }

    @Third static func onThird() throws { throw Broken() }

    nonisolated(nonsending) static func nonsending(_ other: Elsewhere) async throws {
        try await other.throwing()
    }

    static let ways: [(String, @Sendable (EventLoopGroup) async -> Void)] = [
        ("returns at once", { _ in }),
        ("yields", { _ in await Task.yield() }),
        ("sleeps", { _ in try? await Task.sleep(for: .milliseconds(2)) }),
        ("asks an actor", { _ in _ = await Elsewhere().value() }),
        ("is thrown at by an actor", { _ in try? await Elsewhere().throwing() }),
        ("is thrown at by a global actor", { _ in try? await onThird() }),
        ("is thrown at in nonsending code", { _ in try? await nonsending(Elsewhere()) }),
        ("waits for a detached task", { _ in await Task.detached { await Task.yield() }.value }),
        ("is thrown at by a detached task", { _ in try? await Task.detached { throw Broken() }.value }),
        (
            "runs a group",
            { _ in
                await withTaskGroup(of: Void.self) { group in for _ in 0..<10 { group.addTask { await Task.yield() } } }
            }
        ),
        (
            "runs a group that throws",
            { _ in
                try? await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 { group.addTask { throw Broken() } }
                    try await group.waitForAll()
                }
            }
        ),
        (
            "moves to another loop",
            { group in
                await withTaskExecutorPreference(group.loops[1]) { await Task.yield() }
            }
        ),
        (
            "is thrown at on another loop",
            { group in
                try? await withTaskExecutorPreference(group.loops[1]) {
                    await Task.yield()
                    throw Broken()
                }
            }
        ),
        (
            "is resumed from another thread",
            { _ in
                await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume() } }
            }
        ),
        ("blocks elsewhere", { _ in _ = await BlockingWork.run { usleep(500) } }),
    ]

    @Test(arguments: ways.indices)
    func answers(_ index: Int) async throws {
        let other = try EventLoopGroup(count: 2)
        let way = Self.ways[index].1
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            await way(other)
            return await TestServer.echo(request)
        }
        try await withServer(answer: answer) { server in
            await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<4 {
                    group.addTask {
                        try await onThread {
                            let socket = try server.connect()
                            for number in 0..<10 {
                                try socket.send("GET /\(client)/\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                                let response = try socket.receiveResponse()
                                #expect(response.body == "GET /\(client)/\(number) ", "\(Self.ways[index].0)")
                            }
                        }
                    }
                }
            }
            #expect(server.server.statistics.requests == 40)
        }
        other.shutdown()
    }

    @Test func runsOnTheLoopThatReadTheRequest() async throws {
        let loops = Mutex<[EventLoop]>([])
        let isOnLoop = Atomic(0)
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            let loops = loops.withLock { $0 }
            if loops.contains(where: \.isCurrent) { isOnLoop.add(1, ordering: .relaxed) }
            await Task.yield()
            if loops.contains(where: \.isCurrent) { isOnLoop.add(1, ordering: .relaxed) }
            return await TestServer.echo(request)
        }
        try await withServer(loops: 2, answer: answer) { server in
            loops.withLock { $0 = server.group.loops }
            for _ in 0..<4 {
                try await onThread {
                    let socket = try server.connect()
                    try socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    let response = try socket.receiveResponse()
                    #expect(response.status == 200)
                }
            }
        }
        let count = isOnLoop.load(ordering: .relaxed)
        #expect(count == 8)
    }

    @Test func writesOneRecordForEveryRequest() async throws {
        let records = Mutex<[AccessRecord]>([])
        try await withServer(configure: { $0.accessLog = { record in records.withLock { $0.append(record) } } }) {
            server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET /a?token=secret HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                try socket.send("nonsense\r\n\r\n")
                _ = try socket.receiveAll()
                let first = records.withLock { $0[0] }
                #expect(first.method == .get)
                #expect(first.path == "/a")
                #expect(first.status == .ok)
                #expect(first.requestID == response["x-request-id"])
                #expect(first.responseBytes == response.head.utf8.count + response.body.utf8.count)
                #expect(first.peer.address == "127.0.0.1")
                #expect(first.duration > .zero && first.duration < .seconds(600))
                let second = records.withLock { $0[1] }
                #expect(second.method == nil)
                #expect(second.path == nil)
                #expect(second.status == .badRequest)
            }
        }
        #expect(records.withLock { $0.count } == 2)
    }
}
