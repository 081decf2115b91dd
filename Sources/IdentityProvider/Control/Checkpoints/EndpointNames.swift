import Primitives

/// The endpoints of a tenant, by their paths or by their names in short.
package struct EndpointNames: Sendable {
    let paths: [String]

    private static let shortNames = [
        "jwks": "/jwks.json", "discovery": DiscoveryEndpoint.location, "openapi": OpenAPIEndpoint.location,
        // RFC 8414 section 5: the same under another name.
        "/.well-known/oauth-authorization-server": DiscoveryEndpoint.location,
    ]

    /// Why a name is none, and which there are.
    package struct Unknown: Error, CustomStringConvertible {
        package let description: String
    }

    /// The path of the endpoint of this name.
    package func path(of name: String) throws(Unknown) -> String {
        let path = Self.shortNames[name] ?? (name.hasPrefix("/") ? name : "/\(name)")
        guard !name.isEmpty, paths.contains(where: { sameText($0, path) }) else {
            let near = Suggestion.nearest(to: path, among: paths).map { "did you mean \($0)? " } ?? ""
            throw Unknown(
                description: "there is no such endpoint; \(near)there are \(paths.joined(separator: ", "))")
        }
        return path
    }
}

extension EndpointNames {
    /// The path that a member of a body names; `nil` when it is not there.
    func path(_ body: ControlMembers, _ member: String) throws(ControlError) -> String? {
        guard let name = try body.text(member) else { return nil }
        do throws(Unknown) { return try path(of: name) } catch {
            throw .invalid(body.place[member], error.description)
        }
    }
}

extension ControlMembers {
    /// The name of a checkpoint.
    func checkpoint(_ name: String, among known: [Checkpoint]) throws(ControlError) -> Checkpoint? {
        guard let text = try text(name) else { return nil }
        if let found = known.first(where: { sameText($0.rawValue, text) }) { return found }
        let names = known.map(\.rawValue)
        let near = Suggestion.nearest(to: text, among: names).map { "did you mean \($0)? " } ?? ""
        throw .invalid(
            place[name], "there is no such checkpoint here; \(near)there are \(names.joined(separator: ", "))")
    }
}
