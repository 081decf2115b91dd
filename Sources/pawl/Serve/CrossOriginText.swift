import IdentityProvider

/// An origin as it stands on a command line, or all of them.
enum CrossOriginText: Sendable {
    case any
    case origin(WebOrigin)

    static let reader = ValueReader(
        "ORIGIN|any", expecting: "any, or an origin such as http://localhost:3000: a scheme, a host and perhaps a port"
    ) { CrossOriginText($0) }

    init?(_ text: String) {
        if text == "any" {
            self = .any
        } else {
            guard let origin = WebOrigin(text) else { return nil }
            self = .origin(origin)
        }
    }
}

extension CrossOriginPolicy {
    /// What the texts say together: without any, this machine.
    init(_ texts: [CrossOriginText]) {
        var origins: Set<WebOrigin> = []
        for text in texts {
            switch text {
            case .any:
                self = .any
                return
            case .origin(let origin): origins.insert(origin)
            }
        }
        self = origins.isEmpty ? .loopback : .listed(origins)
    }
}
