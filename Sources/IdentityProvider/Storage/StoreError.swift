/// Why a store could not do what it was asked. Nothing happened.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It cannot work now; it may again.
    case unavailable(reason: String)
    /// There is a limit to what it keeps, and it is reached.
    case full(limit: Int)

    package var description: String {
        switch self {
        case .unavailable(let reason): "the store is not available: \(reason)"
        case .full(let limit): "the store is full: it keeps \(limit) entries of the kind"
        }
    }
}
