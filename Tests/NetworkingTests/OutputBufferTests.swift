import Foundation
import HTTPMessages
import Networking
import TestSupport
import Testing

@Suite struct OutputBufferTests {
    private static let pending = 256 << 10

    /// More is always appended before all is taken, as when a client asks without end and reads slowly.
    @Test(arguments: [1, 100, 4096, 65_536, 200_000])
    func keepsNothingThatWasTakenHoweverLongSomethingWaits(taken: Int) throws {
        var buffer = OutputBuffer()
        var (appended, consumed) = (0, 0)
        for _ in 0..<(8 << 20) / max(taken, 4096) {
            let count = Self.pending - buffer.pendingCount
            buffer.bytes.append(contentsOf: (appended..<appended + count).lazy.map { UInt8(truncatingIfNeeded: $0) })
            appended += count
            buffer.consume(taken)
            consumed += taken
            #expect(buffer.pendingCount == appended - consumed)
            try #require(buffer.bytes.count <= 2 * Self.pending)
            let first = buffer.withPending { $0.first }
            #expect(first == UInt8(truncatingIfNeeded: consumed))
        }
    }

    @Test func givesTheRoomOfALargeResponseBack() {
        var buffer = OutputBuffer()
        buffer.bytes.append(contentsOf: [UInt8](repeating: 0, count: 8 << 20))
        // One byte waits for ever.
        buffer.consume((8 << 20) - 1)
        #expect(buffer.pendingCount == 1)
        #expect(buffer.bytes.capacity <= OutputBuffer.keptCapacity)
        buffer.consume(1)
        #expect(buffer.pendingCount == 0)
        #expect(buffer.bytes.isEmpty)
    }

    @Test func keepsTheRoomOfASmallResponse() {
        var buffer = OutputBuffer()
        buffer.bytes.append(contentsOf: [1, 2, 3])
        let capacity = buffer.bytes.capacity
        buffer.consume(3)
        #expect(buffer.bytes.isEmpty)
        #expect(buffer.bytes.capacity == capacity)
    }

    @Test func forgetsEverythingWhenTheConnectionIsGone() {
        var buffer = OutputBuffer()
        buffer.bytes.append(contentsOf: [1, 2, 3])
        buffer.consume(1)
        buffer.discard()
        #expect(buffer.pendingCount == 0)
        buffer.bytes.append(4)
        #expect(buffer.withPending { Array($0) } == [4])
    }

    @Test func theRoomThatASlowReaderNeedsIsBounded() async {
        await #expect(processExitsWith: .success) {
            let grown = try await bytesGrownByServingASlowReader()
            exit(grown < 24 << 20 ? 0 : 2)
        }
    }
}

/// By how much this process has grown when nearly 100 MB have been sent with something waiting all the time. On a Unix
/// socket, since the kernel takes less there than the server has ready.
private func bytesGrownByServingASlowReader() async throws -> Int {
    let size = 200 << 10
    let count = 500
    let directory = try TemporaryDirectory()
    let server = try await TestServer(
        listen: [.init(.unix(path: directory.path("s")))],
        answer: { _ in ServerResponse(status: .ok, body: .bytes([UInt8](repeating: 0x61, count: size))) })
    let socket = try server.connect()
    Task {
        try await onThread {
            // A few more than are read, so that something waits to the end.
            try socket.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: count + 20))
        }
    }
    try await onThread { _ = try socket.receive(count: 10 * size) }
    let before = residentBytes()
    try await onThread {
        for _ in 10..<count {
            _ = try socket.receive(count: size)
            usleep(500)
        }
    }
    let grown = residentBytes() - before
    await server.stop()
    return grown
}

/// Memory that this process has in use (proc_pid_statm(5)).
private func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
}
