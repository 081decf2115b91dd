#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Serves one port until the request comes that is waited for. Blocks: for a thread of its own.
///
/// Browsers open connections that they never use, so several are read at once, and one that says nothing holds up nobody.
struct LoopbackListener: Sendable {
    enum Outcome {
        case callback(String)
        case stopped
        case failed
    }

    /// What a URL is that a browser came back with.
    enum Verdict {
        /// The answer. Whoever waits has it for certain before the browser is told so.
        case awaited
        case notAwaited
        /// The answer, after the waiting had ended.
        case tooLate
    }

    private struct Connection {
        let descriptor: Int32
        var bytes: [UInt8] = []
    }

    let sockets: LoopbackSockets
    let signal: StopSignal
    let reader: LoopbackRequestReader
    let judge: @Sendable (String) -> Verdict

    /// At once; the oldest makes room for the next.
    static let maximumConnectionCount = 16
    /// Of one reading.
    private static let chunkByteCount = 4096

    func run() -> Outcome {
        var connections: [Connection] = []
        defer {
            for connection in connections { _ = close(connection.descriptor) }
            sockets.closePort()
        }
        while true {
            var polled = [signal.descriptor] + sockets.descriptors + connections.map(\.descriptor)
            guard Self.wait(for: &polled) else { return .failed }
            if polled.contains(signal.descriptor) { return .stopped }
            // The last first, so that those before it stay where they are.
            for index in connections.indices.reversed() where polled.contains(connections[index].descriptor) {
                switch serve(&connections[index]) {
                case .unfinished: break
                case .finished: _ = close(connections.remove(at: index).descriptor)
                case .callback(let url): return .callback(url)
                }
            }
            for listener in sockets.descriptors where polled.contains(listener) {
                guard Self.accept(from: listener, into: &connections) else { return .failed }
            }
        }
    }

    /// Leaves those of the descriptors at which something has happened.
    private static func wait(for descriptors: inout [Int32]) -> Bool {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&entries, nfds_t(entries.count), -1) < 0 {
            guard errno == EINTR else { return false }
        }
        descriptors = entries.filter { $0.revents != 0 }.map(\.fd)
        return true
    }

    private static func accept(from listener: Int32, into connections: inout [Connection]) -> Bool {
        #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
        #elseif canImport(Musl)
        let descriptor = Musl.accept(listener, nil, nil)
        #else
        let descriptor = Darwin.accept(listener, nil, nil)
        #endif
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN, EINTR, ECONNABORTED: return true
            default:
                // Out of descriptors: one less may help, and asking on and on does not.
                guard !connections.isEmpty else { return false }
                _ = close(connections.removeFirst().descriptor)
                return true
            }
        }
        guard Descriptor.prepare(descriptor) else {
            _ = close(descriptor)
            return true
        }
        if connections.count >= maximumConnectionCount { _ = close(connections.removeFirst().descriptor) }
        connections.append(Connection(descriptor: descriptor))
        return true
    }

    private enum Service {
        case unfinished
        case finished
        case callback(String)
    }

    /// Reads what there is, and answers it once it is a request.
    private func serve(_ connection: inout Connection) -> Service {
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        let count = read(connection.descriptor, &chunk, chunk.count)
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .unfinished : .finished
        }
        connection.bytes += chunk[..<count]
        switch reader.read(connection.bytes) {
        case .incomplete: return .unfinished
        case .refused(let reply): return answer(reply, connection, .finished)
        case .callback(let url):
            switch judge(url) {
            case .awaited: return answer(.received, connection, .callback(url))
            case .notAwaited: return answer(.notAwaited, connection, .finished)
            case .tooLate: return answer(.tooLate, connection, .finished)
            }
        }
    }

    private func answer(_ reply: LoopbackReply, _ connection: Connection, _ service: Service) -> Service {
        Descriptor.send(reply.bytes, to: connection.descriptor)
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
        return service
    }
}
