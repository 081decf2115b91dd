#if canImport(Glibc)
import Foundation
import Glibc
import Synchronization

/// A program that has been started: its identifier and its end.
///
/// Not Foundation's `Process`, which crashes on Linux when several threads start programs at the same time, and lets
/// children inherit each other's pipes.
package final class ChildProcess: Sendable {
    package struct StartError: Error {
        package let program: String
        package let code: Int32
    }

    package let identifier: pid_t
    private let end = Mutex<(code: Int32?, waiters: [CheckedContinuation<Int32, Never>])>((nil, []))

    // A descriptor that is opened while another thread starts a program must not be left to that program.
    private static let startLock = Mutex<Void>(())

    /// A pipe whose ends no child inherits.
    package static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        let code = startLock.withLock { _ in
            guard pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        guard code == 0 else { throw StartError(program: "pipe", code: code) }
        return (ends[0], ends[1])
    }

    /// Starts a program with these three descriptors as its standard ones, with signals as they are by
    /// default, and with exactly this environment.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], input: Int32, output: Int32,
        errors: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var every = sigset_t()
        sigfillset(&every)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = Self.startLock.withLock { _ in
            posix_spawn(&identifier, program, &actions, &attributes, &words, &variables)
        }
        guard code == 0 else { throw StartError(program: program, code: code) }
        self.identifier = identifier
        Thread { [self] in
            var status: Int32 = 0
            while waitpid(self.identifier, &status, 0) < 0, errno == EINTR {}
            // The macros of wait(2): the low seven bits are the signal, the byte above them is the code.
            hasEnded(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
        }.start()
    }

    /// Sends a signal, unless the process has ended: its identifier may be another's by then. Says which.
    @discardableResult
    package func send(_ signal: Int32) -> Bool {
        end.withLock { end in
            guard end.code == nil else { return false }
            return kill(identifier, signal) == 0
        }
    }

    /// Waits for the end. The code is 128 and the signal's number if a signal was the end.
    package func waitForExit() async -> Int32 {
        await withCheckedContinuation { continuation in
            let known: Int32? = end.withLock { end in
                if end.code == nil { end.waiters.append(continuation) }
                return end.code
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func hasEnded(_ code: Int32) {
        let waiters = end.withLock { end in
            end.code = code
            defer { end.waiters = [] }
            return end.waiters
        }
        for waiter in waiters { waiter.resume(returning: code) }
    }
}
#endif
