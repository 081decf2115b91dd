import OAuth
import Primitives

extension OperationDescription {
    /// Refuses what the operation has no use for: whoever sends it means something by it, and what he means would not be
    /// done. `DELETE /sessions?usr=bob` is not to end the sessions of everybody.
    func check(_ query: FormParameters, body: [UInt8]) throws(ControlError) {
        let known = parameters.filter { $0.place == .query }.map(\.name)
        var seen: [String] = []
        for name in query.map(\.name) {
            guard known.contains(where: { sameText($0, name) }) else { throw Self.unknown(name, among: known) }
            guard !seen.contains(where: { sameText($0, name) }) else {
                throw .invalid(nil, "the query: \(name) is there more than once")
            }
            seen.append(name)
        }
        guard body.isEmpty || requestBody != nil else {
            throw .invalid(nil, "this takes no body, and nothing was done")
        }
    }

    private static func unknown(_ name: String, among known: [String]) -> ControlError {
        let name = KeptText.of(name)
        let near = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)? " } ?? ""
        let others = known.isEmpty ? "this takes none" : "there are \(known.joined(separator: ", "))"
        return .invalid(nil, "the query: there is no \(name); \(near)\(others)")
    }
}
