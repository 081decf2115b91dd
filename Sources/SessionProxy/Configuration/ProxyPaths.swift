/// The paths that the proxy keeps for itself. All others are the upstream's.
package struct ProxyPaths: Hashable, Sendable {
    /// Who is signed in; the others are below it.
    package let session: String
    /// Where the provider sends the browser back to.
    package let callback: String

    package static let standard = ProxyPaths(checked: "/_session", "/_session/callback")

    /// - Parameter callback: `nil`: below the session's.
    package init(session: String, callback: String? = nil) throws(ProxyConfigurationError) {
        let callback = callback ?? session + "/callback"
        guard Self.isPath(session), Self.isPath(callback) else { throw .badPath }
        self.init(checked: session, callback)
        // Whichever were found first, the other could not be reached.
        guard ![session, login, logout, handover, health].contains(callback) else { throw .badPath }
    }

    private init(checked session: String, _ callback: String) {
        self.session = session
        self.callback = callback
    }

    package var login: String { session + "/login" }
    package var logout: String { session + "/logout" }
    /// Where an app hands a session over.
    package var handover: String { session + "/handover" }
    package var health: String { session + "/health" }

    private static func isPath(_ text: String) -> Bool {
        text.utf8.count > 1 && !text.hasSuffix("/")
            && !text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "%") }
            && LocalPath(text) != nil
    }

    /// What a request for a path is about.
    enum Place: Hashable, Sendable {
        case status, login, callback, logout, handover, health
        /// Below the session's path, and nothing.
        case nothing
        case upstream
    }

    func place(of path: Substring) -> Place {
        let path = String(path)
        switch path {
        case callback: return .callback
        case session: return .status
        case login: return .login
        case logout: return .logout
        case handover: return .handover
        case health: return .health
        default: return path.utf8.starts(with: (session + "/").utf8) ? .nothing : .upstream
        }
    }
}
