import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// The last nonce that each server has given (RFC 9449 section 8.2: a nonce is good for the server that gave it).
package final class DPoPNonces: Sendable {
    private struct Entry {
        var nonce: String
        /// Grows with each that is remembered.
        var order: UInt64
    }

    private struct State {
        var entries: [ExactText: Entry] = [:]
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Servers whose nonces are kept; beyond that the oldest is forgotten, which costs one more request.
    static let maximumCount = 64
    /// Of a nonce.
    static let maximumByteCount = 1024

    func nonce(for origin: String) -> String? { state.withLock { $0.entries[ExactText(origin)]?.nonce } }

    /// - Returns: whether there was a nonce to be remembered.
    @discardableResult
    func remember(_ response: HTTPResponse, from origin: String) -> Bool {
        let values = response.headerFields[values: .dpopNonce]
        // Section 8.1: 1*NQCHAR. There is one: of two nobody knows which is meant.
        guard values.count == 1, let nonce = values.first, (1...Self.maximumByteCount).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy(OAuthCharacters.isUnquoted)
        else { return false }
        state.withLock { state in
            state.count += 1
            state.entries[ExactText(origin)] = Entry(nonce: nonce, order: state.count)
            guard state.entries.count > Self.maximumCount,
                let oldest = state.entries.min(by: { $0.value.order < $1.value.order })
            else { return }
            state.entries[oldest.key] = nil
        }
        return true
    }
}
