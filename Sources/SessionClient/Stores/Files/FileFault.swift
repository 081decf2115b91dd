#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system said of a call that failed.
package struct FileFault: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// By the call that this thread has made last.
    static var last: FileFault { FileFault(code: errno) }

    var isMissing: Bool { code == ENOENT }
    var isTaken: Bool { code == EEXIST }

    private var text: String { String(cString: strerror(code)) }

    /// What follows for whoever wanted to read. Files that the system keeps closed until the device is unlocked answer with
    /// a want of permission, and are there again later.
    func whenReading(_ path: String) -> SessionStoreError {
        switch code {
        case EACCES, EPERM: .locked(reason: "cannot open \(path): \(text)")
        case ELOOP: .failed(reason: "\(path) is a link, which is not followed: a copy is wanted in its place")
        default: .failed(reason: "cannot read \(path): \(text)")
        }
    }

    func when(_ attempt: String, _ path: String) -> SessionStoreError {
        switch code {
        case ELOOP, ENOTDIR: .failed(reason: "cannot \(attempt) \(path): it is a link or no directory")
        default: .failed(reason: "cannot \(attempt) \(path): \(text)")
        }
    }
}
