import OAuth
import Primitives

/// Which events somebody wants to see.
package struct EventFilter: Sendable, Hashable {
    /// Empty: of every kind.
    package var kinds: Set<ProviderEvent.Kind> = []
    /// Those about this client; `nil`: all.
    package var clientID: String?

    package init() {}

    package func admits(_ event: ProviderEvent) -> Bool {
        guard kinds.isEmpty || kinds.contains(event.kind) else { return false }
        guard let clientID else { return true }
        return event.clientID.map { sameText($0, clientID) } == true
    }

    /// - Parameter query: `kind` names kinds, or what comes before the dot of several, separated by commas.
    init(_ query: FormParameters) throws(ControlError) {
        clientID = query["client"]
        for name in (query["kind"] ?? "").split(separator: ",").map(String.init) {
            let meant = ProviderEvent.Kind.allCases.filter { kind in
                sameText(kind.rawValue, name) || kind.rawValue.utf8.starts(with: "\(name).".utf8)
            }
            guard !meant.isEmpty else {
                let names = ProviderEvent.Kind.allCases.map(\.rawValue)
                let near = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)? " } ?? ""
                throw .invalid(nil, "kind: there is no such event; \(near)there are \(names.joined(separator: ", "))")
            }
            kinds.formUnion(meant)
        }
    }
}
