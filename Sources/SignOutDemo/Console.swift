import Glibc

/// Where the demonstration writes: each line at once, and in colour on a terminal alone.
struct Console: Sendable {
    let hasColour: Bool

    static func standard() -> Console {
        Console(hasColour: isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil)
    }

    enum Colour: String {
        case good = "32"
        case bad = "31"
        case heading = "1"
        case quiet = "2"
    }

    func print(_ text: String = "", _ colour: Colour? = nil, terminator: String = "\n") {
        guard let colour, hasColour else { return write(text + terminator, to: STDOUT_FILENO) }
        write("\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m\(terminator)", to: STDOUT_FILENO)
    }

    func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Past any buffer: whoever watches sees it when it happens.
    private func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
