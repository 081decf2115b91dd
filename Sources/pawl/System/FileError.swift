#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the system said when a file was wanted.
struct FileError: Error, Sendable {
    let code: Int32
    /// What was attempted, with the name of the file, and why it failed: `cannot read keys.pem: Permission denied`.
    let description: String
    /// Whether the file itself is the trouble, rather than the system.
    private let isInput: Bool

    init(_ attempt: String, code: Int32 = errno) {
        self.code = code
        description = "\(attempt): \(String(cString: strerror(code)))"
        isInput = [ENOENT, EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code)
    }

    private init(tooLarge name: String, limitInBytes limit: Int) {
        code = EFBIG
        description = "\(name) has more than \(limit) bytes"
        isInput = true
    }

    /// More than anybody meant to have read.
    static func tooLarge(_ name: String, limitInBytes limit: Int) -> Self {
        Self(tooLarge: name, limitInBytes: limit)
    }

    /// A file that is not there is the user's slip; a disk that is full is not.
    var failure: CommandFailure { isInput ? .badInput(description) : .environment(description) }
}
