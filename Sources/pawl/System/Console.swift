#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard output for what was asked for, standard error for everything else.
struct Console: Sendable {
    let outputIsTerminal: Bool
    let inputIsTerminal: Bool
    /// Columns to write help in.
    let width: Int

    /// The streams of this process.
    static func standard() -> Console {
        let outputIsTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isKnown = outputIsTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Console(
            outputIsTerminal: outputIsTerminal, inputIsTerminal: isatty(STDIN_FILENO) == 1,
            width: isKnown ? min(max(Int(size.ws_col), 60), 110) : 100)
    }

    /// Writes to standard output; what cannot be written is a failure, or a script would take half an answer for
    /// the whole.
    func print(_ text: String, terminator: String = "\n") throws(CommandFailure) {
        let shown = (outputIsTerminal ? TerminalText.harmless(text) : text) + terminator
        do throws(FileError) {
            try FileSystem.write(Array(shown.utf8), to: STDOUT_FILENO, name: "standard output")
        } catch {
            throw error.failure
        }
    }

    /// Writes a line to standard error. If nobody can read it, nothing can be done.
    func complain(_ text: String) {
        let line = TerminalText.harmless(text) + "\n"
        try? FileSystem.write(Array(line.utf8), to: STDERR_FILENO, name: "standard error")
    }
}
