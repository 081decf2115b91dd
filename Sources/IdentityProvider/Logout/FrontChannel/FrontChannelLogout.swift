import OAuth
import Observability
import Primitives

/// Tells clients through the browser that a login has ended: the last page loads an address of each in a frame (OpenID
/// Connect Front-Channel Logout 1.0).
///
/// It reaches what only the browser reaches, and it is all that can be said for it: a browser that keeps cookies from
/// frames of other sites, as most do today, loads the address without the session that it is to end.
struct FrontChannelLogout: Sendable {
    let context: ProviderContext

    /// Frames of one page. Nobody signs in to more in one sitting, and each costs the browser a connection.
    static let maximumFrameCount = 64

    /// The addresses to load for these logins.
    func frames(for logins: [Login], as issuer: Issuer) -> [PageURL] {
        var frames: [PageURL] = []
        for login in logins {
            for id in login.clientIDs where frames.count < Self.maximumFrameCount {
                guard let client = context.clients[id], let uri = client.metadata.frontChannelLogoutURI else {
                    continue
                }
                if let frame = frame(uri, of: client, for: login, as: issuer) {
                    frames.append(frame)
                } else {
                    context.logger.warning("logout.frame_refused", [LogField("client", client.id)])
                }
            }
        }
        return frames
    }

    /// Section 3: `iss` and `sid` go along for a client that has registered that it needs them; a query that is there
    /// stays.
    private func frame(_ text: String, of client: Client, for login: Login, as issuer: Issuer) -> PageURL? {
        guard let uri = try? RedirectURI(text), uri.kind != .privateUse else { return nil }
        guard client.metadata.frontChannelLogoutSessionRequired else { return PageURL(uri.text) }
        return PageURL(
            uri.appending(query: [
                ("iss", login.issuerIdentifier(for: client.id, else: issuer) ?? issuer.identifier),
                ("sid", login.id.text),
            ]))
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.frontChannelLogoutSupported] = .bool(true)
        metadata[.frontChannelLogoutSessionSupported] = .bool(true)
    }
}
