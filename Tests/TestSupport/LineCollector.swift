#if canImport(Glibc)
import Foundation
import Glibc
import Synchronization

/// Takes lines out of a pipe as they come, keeps them all, and wakes whoever waits for one.
package final class LineCollector: Sendable {
    private struct State {
        var lines: [String] = []
        var rest = Data()
        var hasEnded = false
        var waiters: [UUID: (matches: @Sendable (String) -> Bool, continuation: CheckedContinuation<String?, Never>)] =
            [:]
    }

    private let state = Mutex(State())

    /// Reads from the descriptor to its end, on a thread of its own, and closes it.
    package init(reading descriptor: Int32) {
        Thread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                self?.take(Data(buffer.prefix(max(0, count))))
                if count <= 0 { break }
            }
            close(descriptor)
        }.start()
    }

    /// Every line so far.
    package var text: String { state.withLock { $0.lines.map { $0 + "\n" }.joined() } }

    package var lines: [String] { state.withLock { $0.lines } }

    /// The first line, past or to come, that matches; `nil` if the stream ends, or the time, before there is one.
    package func first(
        within bound: Duration = .seconds(60), where matches: @escaping @Sendable (String) -> Bool
    ) async -> String? {
        let identity = UUID()
        let alarm = Task {
            try await Task.sleep(for: bound)
            finish(identity)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { continuation in
            let found: String?? = state.withLock { state in
                if let line = state.lines.first(where: matches) { return .some(line) }
                if state.hasEnded { return .some(nil) }
                state.waiters[identity] = (matches, continuation)
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    private func finish(_ identity: UUID) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: identity) }
        waiter?.continuation.resume(returning: nil)
    }

    private func take(_ data: Data) {
        let resumptions: [(CheckedContinuation<String?, Never>, String?)] = state.withLock { state in
            state.rest += data
            var fresh: [String] = []
            while let end = state.rest.firstIndex(of: 0x0A) {
                fresh.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest = Data(state.rest[(end + 1)...])
            }
            if data.isEmpty {
                state.hasEnded = true
                if !state.rest.isEmpty { fresh.append(String(decoding: state.rest, as: UTF8.self)) }
            }
            state.lines += fresh
            var resumptions: [(CheckedContinuation<String?, Never>, String?)] = []
            for (identity, waiter) in state.waiters {
                if let line = fresh.first(where: waiter.matches) {
                    resumptions.append((waiter.continuation, line))
                    state.waiters[identity] = nil
                } else if state.hasEnded {
                    resumptions.append((waiter.continuation, nil))
                    state.waiters[identity] = nil
                }
            }
            return resumptions
        }
        for (continuation, line) in resumptions { continuation.resume(returning: line) }
    }
}
#endif
