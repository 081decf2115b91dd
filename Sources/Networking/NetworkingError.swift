import Glibc

/// What went wrong at this module's edge. The description is written for whoever started the program.
package struct NetworkingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let kind: Kind
    package let description: String

    /// What callers tell errors apart by.
    package enum Kind: Hashable, Sendable {
        case addressInUse
        case addressNotAvailable
        case permissionDenied
        case invalidAddress
        case connectionRefused
        case connectionClosed
        case timedOut
        case tls
        case malformedResponse
        case responseTooLarge
        case cancelled
        /// Another system call failed, with this `errno`.
        case system(Int32)
    }

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// For the system call that has just failed: reads `errno`.
    init(systemCall name: StaticString) {
        self.init(systemCall: name, code: errno)
    }

    init(systemCall name: StaticString, code: Int32) {
        self.init(.system(code), "\(name): \(Self.text(of: code))")
    }

    static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else { return "error \(code)" }
            return String(cString: buffer.baseAddress!)
        }
    }
}
