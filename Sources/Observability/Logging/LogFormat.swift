#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The shape of a log line.
package enum LogFormat: Sendable, Equatable {
    /// For eyes: `2026-01-02T03:04:05.678Z info    token issued client=service`.
    case text(colour: Bool)
    /// For programs: one JSON object a line.
    case json

    /// Text where a person reads along at a terminal, JSON where the output goes into a file or a pipe.
    package static func automatic(forDescriptor descriptor: Int32) -> LogFormat {
        isatty(descriptor) == 1 ? .text(colour: wantsColour(onDescriptor: descriptor)) : .json
    }

    /// Colour belongs on terminals only, and not even there when `NO_COLOR` is set and not empty
    /// (https://no-color.org) or the terminal cannot do it.
    package static func wantsColour(onDescriptor descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        if let refusal = getenv("NO_COLOR"), refusal.pointee != 0 { return false }
        guard let terminal = getenv("TERM") else { return false }
        return String(cString: terminal) != "dumb"
    }
}
