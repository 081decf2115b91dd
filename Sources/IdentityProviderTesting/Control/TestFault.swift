import IdentityProvider

/// Something that is to go wrong.
///
///     let lost = TestFault.drop
///     let late = TestFault.delay(.milliseconds(200))
public enum TestFault: Hashable, Sendable {
    /// The request waits so long, a minute at most.
    case delay(Duration)
    /// The work is done, and the connection is closed without an answer.
    case drop
    /// The answer ends after so many bytes of its content; half of them when `nil`.
    case cut(contentBytes: Int?)
    /// The answer is sent twice.
    case repeated
    /// The work is done, and this status without content is the answer.
    case status(Int)
    /// The store refuses the request whatever it asks.
    case failingStore

    func effect() throws(IdentityProviderTestingError) -> Fault.Effect {
        switch self {
        case .delay(let duration):
            guard duration > .zero, duration <= Fault.longestDelay else {
                throw IdentityProviderTestingError(.refused, "a delay is more than nothing, and a minute at most")
            }
            return .delay(duration)
        case .drop: return .drop
        case .cut(let contentBytes):
            guard contentBytes.map({ $0 >= 0 }) ?? true else {
                throw IdentityProviderTestingError(.refused, "an answer is cut after no fewer than 0 bytes")
            }
            return .cut(contentBytes: contentBytes)
        case .repeated: return .repeating
        case .status(let code):
            guard (200...599).contains(code) else {
                throw IdentityProviderTestingError(.refused, "a status is from 200 to 599")
            }
            return .status(code)
        case .failingStore: return .failingStore
        }
    }
}
