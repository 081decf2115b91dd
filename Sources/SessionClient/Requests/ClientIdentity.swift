import HTTPMessages
import Primitives

/// Who the client is to the server, and how it proves it (RFC 6749 section 2.3).
///
///     configuration.client = ClientIdentity("service", authentication: .basic(secret))
public struct ClientIdentity: Sendable {
    /// How a client shows that it is itself.
    public enum Authentication: Sendable {
        /// Not at all: an app that everybody can take apart has no secret (RFC 8252 section 8.5).
        case none
        /// `client_secret_basic`.
        case basic(Secret)
        /// `client_secret_post`.
        case post(Secret)
    }

    /// As it is registered with the server.
    public let clientID: String
    /// How it proves it.
    public let authentication: Authentication

    /// A client, without a secret where none is given.
    public init(_ clientID: String, authentication: Authentication = .none) {
        precondition(!clientID.isEmpty, "a client has an identifier")
        self.clientID = clientID
        self.authentication = authentication
    }

    /// RFC 6749 section 2.3: never more than one way of authentication in a request.
    func authenticate(_ form: inout FormBody, _ fields: inout HTTPFields) {
        switch authentication {
        case .none:
            // Section 3.2.1: a client that does not authenticate says who it is.
            form.append("client_id", clientID)
        case .basic(let secret):
            fields[.authorization] = Self.basic(clientID, secret)
            form.remember(secret)
        case .post(let secret):
            form.append("client_id", clientID)
            form.append("client_secret", secret)
        }
    }

    /// RFC 6749 section 2.3.1: both are encoded as in a form, and only then joined by a colon and turned into Base64.
    private static func basic(_ clientID: String, _ secret: Secret) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(clientID.utf8, space: .plus, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        secret.withBytes { PercentEncoding.append($0, space: .plus, to: &bytes) }
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        return "Basic " + Base64.encode(bytes)
    }
}
