import CWebKitGTK
import Foundation
import WebKitGTKSurface

/// A program that was started, and is stopped if the test does not do that.
@GLibActor
final class Program {
    private nonisolated(unsafe) let process: OpaquePointer
    private nonisolated(unsafe) let output: OpaquePointer

    struct Failure: Error {
        let reason: String
    }

    /// - Parameter path: a name is looked for in `PATH`.
    init(_ path: String, _ arguments: [String]) throws {
        let words = ([path] + arguments).map { g_strdup($0) }
        defer { for word in words { g_free(word) } }
        var list = words.map { UnsafePointer($0) } + [nil]
        let flags = GSubprocessFlags(
            rawValue: G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
        guard let process = g_subprocess_newv(&list, flags, nil) else { throw Failure(reason: "no \(path)") }
        self.process = process
        let stream = g_data_input_stream_new(g_subprocess_get_stdout_pipe(process))
        output = OpaquePointer(UnsafeMutableRawPointer(stream!))
    }

    isolated deinit {
        g_subprocess_force_exit(process)
        g_object_unref(gpointer(output))
        g_object_unref(gpointer(process))
    }

    /// The one of this package that is named so.
    static func app(_ arguments: String...) throws -> Program {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try Program(folder.appending(path: "WebKitApp").path(), arguments)
    }

    /// Its next line; `nil`: it has nothing more to say.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            g_data_input_stream_read_line_async(
                UnsafeMutablePointer(output), G_PRIORITY_DEFAULT, nil,
                { source, result, data in
                    let continuation = Pending.taken(data)
                    let stream = UnsafeMutablePointer<GDataInputStream>(OpaquePointer(source))
                    let text = g_data_input_stream_read_line_finish_utf8(stream, result, nil, nil)
                    continuation.resume(returning: text.map { String(cString: $0) })
                    g_free(text)
                }, Pending.retained(continuation))
        }
    }

    /// Its lines up to one that says `end`.
    func cookies() async -> [String] {
        var lines: [String] = []
        while let line = await line(), line != "end" { lines.append(line) }
        return lines
    }

    /// Gives it no time to do anything.
    func kill() async {
        g_subprocess_force_exit(process)
        await ended()
    }

    func ended() async {
        let _: String? = await withCheckedContinuation { continuation in
            g_subprocess_wait_async(
                process, nil,
                { source, result, data in
                    _ = g_subprocess_wait_finish(OpaquePointer(source), result, nil)
                    Pending.taken(data).resume(returning: nil)
                }, Pending.retained(continuation))
        }
    }

    private final class Pending {
        let continuation: CheckedContinuation<String?, Never>

        init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = continuation }

        static func retained(_ continuation: CheckedContinuation<String?, Never>) -> gpointer {
            Unmanaged.passRetained(Pending(continuation)).toOpaque()
        }

        static func taken(_ data: gpointer?) -> CheckedContinuation<String?, Never> {
            Unmanaged<Pending>.fromOpaque(data!).takeRetainedValue().continuation
        }
    }
}
