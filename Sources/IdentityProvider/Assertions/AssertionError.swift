import JOSE
import Primitives

/// Why an assertion was refused. Names claims and rules, never what the assertion had.
enum AssertionError: Error, Sendable, Equatable, CustomStringConvertible {
    case unacceptable(JWTError)
    case wrongSubject
    case livesTooLong(longest: Duration)
    case identifierTooLong
    /// RFC 7523 section 3 item 7: its `jti` was there before.
    case used

    var description: String {
        switch self {
        case .unacceptable(let error): error.description
        case .wrongSubject: "the subject is not the expected one"
        case .livesTooLong(let longest): "exp is more than \(longest.inSeconds) seconds away"
        case .identifierTooLong: "jti is longer than \(AssertionPolicy.maximumIdentifierByteCount) bytes"
        case .used: "an assertion with this jti was used before"
        }
    }
}
