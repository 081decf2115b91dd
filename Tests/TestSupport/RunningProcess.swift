#if canImport(Glibc)
import Foundation
import Glibc

/// A process that a test has started and talks to while it runs. Killed when its owner is gone.
package final class RunningProcess: Sendable {
    private let process: ChildProcess
    package let output: LineCollector
    package let errors: LineCollector

    /// - Parameter environment: all of it; nothing is inherited.
    package init(_ executable: URL, _ arguments: [String], environment: [String: String]) throws {
        let outputPipe = try ChildProcess.makePipe()
        let errorPipe = try ChildProcess.makePipe()
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { for descriptor in [outputPipe.writing, errorPipe.writing, null] { close(descriptor) } }
        output = LineCollector(reading: outputPipe.reading)
        errors = LineCollector(reading: errorPipe.reading)
        process = try ChildProcess(
            executable.path(), arguments, environment: environment, input: null, output: outputPipe.writing,
            errors: errorPipe.writing)
    }

    deinit {
        process.send(SIGKILL)
    }

    package var identifier: Int32 { process.identifier }

    package func send(_ signal: Int32) {
        process.send(signal)
    }

    /// Sends a signal again and again until the process ends.
    package func signalUntilExit(_ signal: Int32) async -> Int32 {
        // On a thread of its own: the tests' own tasks may be kept waiting by others that compute.
        Thread { [process] in
            while process.send(signal) { usleep(100_000) }
        }.start()
        return await waitForExit()
    }

    /// Waits for the end. The code is 128 and the signal's number if a signal was the end.
    package func waitForExit() async -> Int32 {
        await process.waitForExit()
    }
}
#endif
