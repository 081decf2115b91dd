import HTTPMessages

/// Finds the endpoint of a path: a table that is built once.
struct Router: Sendable {
    /// An endpoint and the answers about it that are always the same.
    final class Route: Sendable {
        let endpoint: any Endpoint
        private let methods: [HTTPRequest.Method]
        let crossOrigin: CrossOrigin
        let optionsResponse: ServerResponse
        let methodNotAllowedResponse: ServerResponse

        init(_ endpoint: any Endpoint, _ crossOrigin: CrossOrigin) {
            self.endpoint = endpoint
            if endpoint.isForPeople {
                self.crossOrigin = CrossOrigin(policy: .listed([]))
            } else {
                self.crossOrigin = endpoint.isPublic ? CrossOrigin(policy: .any) : crossOrigin
            }
            methods = endpoint.methods + (endpoint.methods.contains(.get) ? [.head] : [])
            let allowed = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
            optionsResponse = CrossOrigin.optionsResponse(allowing: allowed)
            methodNotAllowedResponse = ErrorResponse.methodNotAllowed(allowing: allowed)
        }

        func answers(_ method: HTTPRequest.Method) -> Bool { methods.contains(method) }
    }

    /// Holds where an endpoint has no other.
    let crossOrigin: CrossOrigin
    private var routes: [String: Route] = [:]

    init(_ crossOrigin: CrossOrigin) {
        self.crossOrigin = crossOrigin
    }

    /// Adds an endpoint under the given paths.
    mutating func add(_ endpoint: any Endpoint, at paths: [String]) {
        let route = Route(endpoint, crossOrigin)
        for path in paths {
            precondition(routes[path] == nil, "two endpoints at \(path)")
            routes[path] = route
        }
    }

    /// Paths are compared byte by byte: another spelling of a path (percent-encoded, with a slash at the end) is
    /// another path, and leads nowhere.
    func route(for target: String) -> Route? {
        if let route = routes[target] { return route }
        guard let query = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return routes[String(target[..<query])]
    }
}
