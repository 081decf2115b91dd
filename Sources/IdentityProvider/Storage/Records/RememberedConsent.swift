import OAuth
import Primitives

/// What a user has agreed to for a client, so that he is not asked again. It holds for the resources that he was shown, each
/// by itself, and for no others; without any, for the provider's own audience (RFC 8707).
package struct RememberedConsent: Sendable {
    /// The one that was noted last comes last.
    private(set) var entries: [Entry] = []

    struct Entry: Sendable {
        /// `nil`: the request named none.
        let resource: ExactText?
        let scope: Scope
    }

    /// Of one user and one client. Beyond it the oldest is forgotten, and the user asked again.
    package static let maximumResourceCount = 64

    package init() {}

    /// As it was kept.
    init(entries: [Entry]) { self.entries = entries }

    /// What holds for all of these resources; `nil`: for one of them nothing was ever decided.
    package func scope(for resources: [String]) -> Scope? {
        var common: Scope?
        for resource in Self.keys(resources) {
            guard let scope = scope(for: resource) else { return nil }
            common = common?.filter { scope.contains($0) } ?? scope
        }
        return common
    }

    /// Of what was `requested`, the user agrees from now on to what he `granted` and to nothing else. What he agreed to before
    /// and was not asked for now stays.
    package mutating func note(_ granted: Scope, of requested: Scope, for resources: [String]) {
        for resource in Self.keys(resources) {
            let others = scope(for: resource)?.filter { !requested.contains($0) } ?? .empty
            entries.removeAll { $0.resource == resource }
            entries.append(Entry(resource: resource, scope: others.union(granted)))
        }
        entries.removeFirst(max(0, entries.count - Self.maximumResourceCount))
    }

    private func scope(for resource: ExactText?) -> Scope? {
        entries.first { $0.resource == resource }?.scope
    }

    private static func keys(_ resources: [String]) -> [ExactText?] {
        resources.isEmpty ? [nil] : resources.map { ExactText($0) }
    }
}
