import OAuth
import Primitives

/// The parameters of a URL that a browser was sent back with (RFC 6749 section 4.1.2), once it is known to be one for the
/// redirect URI and to say everything once. They may be secrets, and are never printed.
struct CallbackParameters: Sendable {
    private let parameters: FormParameters

    /// No browser sends more.
    static let maximumByteCount = 16 << 10
    /// 192 bits of a state: RFC 6749 section 10.10 wants at least 160 of what nobody may guess.
    static let stateByteCount = 24

    /// `nil` where the URL leads elsewhere or cannot be read.
    init?(_ callback: String, to redirectURI: RedirectURI) {
        guard callback.utf8.count <= Self.maximumByteCount else { return nil }
        // Some servers put an empty fragment, or one of their own, behind the answer.
        let url = callback.utf8.prefix { $0 != UInt8(ascii: "#") }
        let place = url.prefix { $0 != UInt8(ascii: "?") }
        guard Self.leads(String(Substring(place)), to: redirectURI) else { return nil }
        let query = Array(url.dropFirst(place.count + 1))
        // RFC 6749 section 3.1: parameters MUST NOT be included more than once. Of two nobody knows which is meant.
        guard let parameters = try? FormParameters(parsing: query.span), parameters.firstRepeatedName == nil else {
            return nil
        }
        self.parameters = parameters
    }

    subscript(name: String) -> String? { parameters[name] }

    /// RFC 6749 section 10.12: the state is the one that was sent. Compared in constant time.
    func hasState(_ state: String) -> Bool {
        guard let found = parameters["state"] else { return false }
        return constantTimeEquals(found, state)
    }

    /// Scheme, host, port and path must be those of the redirect URI; browsers write some of them in another way.
    private static func leads(_ place: String, to redirectURI: RedirectURI) -> Bool {
        let expected = String(redirectURI.text.prefix { $0 != "?" })
        if sameText(place, expected) { return true }
        guard let found = TargetURL(place), let wanted = TargetURL(expected) else { return false }
        return found == wanted
    }
}

extension CallbackParameters: CustomStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
