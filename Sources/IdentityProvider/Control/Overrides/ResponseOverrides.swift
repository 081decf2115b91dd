import HTTPMessages
import Primitives
import Synchronization

/// The overrides that wait for their answers, first come, first served.
package final class ResponseOverrides: Sendable {
    /// An override and how often it is still to be used.
    package struct Waiting: Sendable {
        package let id: Int
        package let override: ResponseOverride
        /// Answers with tokens that are still to have other claims or members.
        fileprivate var tokensLeft: Int
        /// Answers that are still to be replaced.
        fileprivate var replacementsLeft: Int

        package var remaining: Int { max(tokensLeft, replacementsLeft) }
    }

    private struct State {
        var waiting: [Waiting] = []
        var lastID = 0
    }

    private let state = Mutex(State())
    /// Whether there is any: in the usual case nothing else is looked at.
    private let isArmed = Atomic<Bool>(false)

    /// More than these at once are no test any more.
    package static let maximumCount = 10_000

    package init() {}

    /// Overrides the next `count` answers that no earlier override is for.
    ///
    /// - Returns: by what it can be told from others; `nil` when there are too many.
    @discardableResult
    package func add(_ override: ResponseOverride, count: Int = 1) -> Int? {
        guard count > 0 else { return nil }
        return state.withLock { state in
            guard state.waiting.count < Self.maximumCount else { return nil }
            state.lastID += 1
            state.waiting.append(
                Waiting(
                    id: state.lastID, override: override, tokensLeft: override.tokens == nil ? 0 : count,
                    replacementsLeft: override.replacement == nil ? 0 : count))
            isArmed.store(true, ordering: .releasing)
            return state.lastID
        }
    }

    /// Overrides the next `count` token responses that no earlier override is for.
    package func add(_ tokens: TokenOverride, count: Int = 1) {
        var override = ResponseOverride()
        override.tokens = tokens
        add(override, count: count)
    }

    /// The override for the answer that the endpoint at this path is making for a client.
    ///
    /// - Parameter givesTokens: whether the answer has tokens. If not, as with a code alone, only what names the endpoint
    ///   is for it.
    func next(at path: String, givingTokens givesTokens: Bool = true, for clientID: String) -> TokenOverride? {
        guard isArmed.load(ordering: .acquiring) else { return nil }
        return take(\.tokensLeft) { override in
            guard override.isFor(clientID) else { return false }
            return override.endpoint.map { sameText($0, path) } ?? givesTokens
        }?.tokens
    }

    /// The replacement for the answer of the endpoint at this path.
    ///
    /// - Parameter clientID: whose request it is; asked for only when an override is for one client.
    func replacement(at path: String, from clientID: @autoclosure () -> String?) -> ResponseReplacement? {
        guard isArmed.load(ordering: .acquiring) else { return nil }
        return take(\.replacementsLeft) { override in
            // Without a name, the token endpoint is meant.
            guard sameText(override.endpoint ?? TokenEndpoint.location, path) else { return false }
            return override.clientID == nil || override.isFor(clientID())
        }?.replacement
    }

    private func take(
        _ counter: WritableKeyPath<Waiting, Int>, where isFor: (ResponseOverride) -> Bool
    ) -> ResponseOverride? {
        state.withLock { state in
            guard
                let index = state.waiting.firstIndex(where: { $0[keyPath: counter] > 0 && isFor($0.override) })
            else { return nil }
            let override = state.waiting[index].override
            state.waiting[index][keyPath: counter] -= 1
            if state.waiting[index].remaining == 0 { state.waiting.remove(at: index) }
            if state.waiting.isEmpty { isArmed.store(false, ordering: .releasing) }
            return override
        }
    }

    package var waiting: [Waiting] { state.withLock { $0.waiting } }

    /// Takes one back; `false` when it is not there any more.
    package func remove(_ id: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return false }
            state.waiting.remove(at: index)
            if state.waiting.isEmpty { isArmed.store(false, ordering: .releasing) }
            return true
        }
    }

    package func removeAll() {
        state.withLock { state in
            state.waiting = []
            isArmed.store(false, ordering: .releasing)
        }
    }
}
