import Cookies
import HTTPMessages
import Primitives

/// The proxy's own cookies: what they are called, and what a browser is told about them.
///
/// Over TLS the names begin with `__Host-`, so that no neighbour on the domain can set them (RFC 6265bis section 4.1.3.2). Browsers
/// do not agree on prefixes and `Secure` without TLS, so that on this machine the name has neither; there it has the port, for
/// cookies do not tell ports apart (RFC 6265 section 8.5). None of them holds anything but random bytes and what is authenticated.
struct ProxyCookies: Sendable {
    /// Which session it is.
    let sessionName: String
    /// That the user has signed out here, and means it.
    let signedOutName: String
    /// Each login that is under way has one of its own.
    private let loginPrefix: String
    private let isSecure: Bool
    private let sameSite: ResponseCookie.SameSite
    /// `nil`: until the browser ends.
    private let maxAge: Duration?
    private let lifetimes: ProxyLifetimes

    /// Logins of one browser that are under way: a browser that opens again opens all its tabs at once. With one more, the oldest
    /// is forgotten.
    static let maximumLoginCount = 16
    /// Bytes of their cookies, all together: a request that is too long for whoever reads it would get no answer at all, until they
    /// are over.
    static let maximumLoginByteCount = 8192

    init(for configuration: ProxyConfiguration) {
        let origin = configuration.origin
        isSecure = origin.isEncrypted
        let suffix = isSecure ? "" : origin.port.map { "_\($0)" } ?? ""
        sessionName = (isSecure ? "__Host-" : "") + configuration.cookieName + suffix
        signedOutName = sessionName + "_out"
        loginPrefix = sessionName + "_login_"
        sameSite = configuration.sameSite
        maxAge = configuration.outlivesTheBrowser ? configuration.lifetimes.absolute : nil
        lifetimes = configuration.lifetimes
    }

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.lowercased().hasPrefix("__host-")
            && !text.lowercased().hasPrefix("__secure-")
            && text.utf8.allSatisfy {
                $0.isASCIIDigit || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
            }
    }
}

// MARK: - To the browser

extension ProxyCookies {
    func session(_ identifier: String) -> ResponseCookie { cookie(sessionName, identifier, sameSite, maxAge) }

    /// What a browser sends back for a login, in bytes.
    func byteCount(ofLogin ticket: String, named name: String) -> Int { name.utf8.count + ticket.utf8.count + 3 }

    func loginName(_ suffix: String) -> String { loginPrefix + suffix }

    /// Comes back with the answer of the provider, which is another site's: `Strict` would keep it away.
    func login(_ ticket: String, named name: String) -> ResponseCookie {
        cookie(name, ticket, .lax, lifetimes.login)
    }

    var signedOut: ResponseCookie { cookie(signedOutName, "1", .lax, lifetimes.absolute) }

    func expired(_ name: String) -> ResponseCookie { cookie(name, "", .lax, .zero) }

    private func cookie(
        _ name: String, _ value: String, _ sameSite: ResponseCookie.SameSite, _ maxAge: Duration?
    ) -> ResponseCookie {
        do {
            return try ResponseCookie(
                name: name, value: value, path: "/", maxAge: maxAge.map { .seconds($0.inSeconds) }, isSecure: isSecure,
                isHTTPOnly: true, sameSite: sameSite)
        } catch {
            preconditionFailure("a cookie of ours is malformed: \(error)")
        }
    }
}

// MARK: - From the browser

extension ProxyCookies {
    /// What the browser sent as its session.
    enum Presented: Hashable, Sendable {
        case nothing
        case one(String)
        /// Of two nobody knows which is a neighbour's.
        case several
    }

    func session(in fields: HTTPFields) -> Presented {
        let shown = sessions(in: fields)
        return shown.count > 1 ? .several : shown.first.map { .one($0) } ?? .nothing
    }

    /// All that the browser sent as its session, each once.
    func sessions(in fields: HTTPFields) -> [String] {
        RequestCookies(fields)[values: sessionName].reduce(into: []) { shown, value in
            if !shown.contains(where: { $0.utf8.elementsEqual(value.utf8) }) { shown.append(String(value)) }
        }
    }

    func hasSignedOut(_ fields: HTTPFields) -> Bool { !RequestCookies(fields)[values: signedOutName].isEmpty }

    /// The logins that are under way, by the names of their cookies.
    func logins(in fields: HTTPFields) -> [(name: String, ticket: String)] {
        let cookies = RequestCookies(fields)
        var found: [(name: String, ticket: String)] = []
        // A name that no server could set is not one of ours, and nothing could take it away again.
        for name in cookies.names where isLoginName(name) {
            guard !found.contains(where: { sameText($0.name, name) }) else { continue }
            for value in cookies[values: name] where found.count < Self.mostTickets {
                found.append((name, String(value)))
            }
        }
        return found
    }

    private func isLoginName(_ name: String) -> Bool {
        name.utf8.starts(with: loginPrefix.utf8) && name.utf8.count <= loginPrefix.utf8.count + 16
            && name.utf8.allSatisfy(\.isTokenByte)
    }

    /// Looked at in one request: two of a name, if somebody has put one beside ours.
    private static let mostTickets = 2 * maximumLoginCount
}

// MARK: - Between the upstream and the browser

extension ProxyCookies {
    /// Whether a cookie is one of ours, or would pass for one. Browsers look at prefixes without regard to case.
    func owns(_ name: Substring.UTF8View) -> Bool {
        let own = sessionName.utf8
        return name.count >= own.count
            && zip(name, own).allSatisfy { $0 == $1 || ((0x61...0x7A).contains($0 | 0x20) && $0 | 0x20 == $1 | 0x20) }
    }

    /// The cookies that the upstream gets: all but ours, as they were sent. `nil`: none.
    func withoutOwn(_ fields: HTTPFields) -> String? {
        var kept: [Substring] = []
        for field in fields where field.name == .cookie {
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
                let trimmed = Self.trimmed(pair)
                // A pair without a name is its value (RFC 6265bis section 5.8.3).
                guard !trimmed.isEmpty, !owns(Self.trimmed(trimmed.prefix { $0 != UInt8(ascii: "=") })) else {
                    continue
                }
                kept.append(Substring(trimmed))
            }
        }
        return kept.isEmpty ? nil : kept.joined(separator: "; ")
    }

    /// Whether the upstream may set this: not in our place, and not without a name, which a browser sends as if the value had
    /// one (RFC 6265bis section 5.7).
    func mayBeSet(_ field: String) -> Bool {
        // What cannot be read no browser keeps.
        guard let cookie = try? SetCookie(parsing: field) else { return false }
        return !owns((cookie.name.isEmpty ? cookie.value : cookie.name)[...].utf8)
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
