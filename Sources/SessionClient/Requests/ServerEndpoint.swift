import HTTPMessages
import OAuth
import Primitives

/// A URL of a server that tokens and codes may be sent to: `https`, or `http` to this very machine.
///
/// RFC 6749 sections 3.1 and 3.2: an endpoint may have a query, which stays, and never has a fragment. What goes there is
/// worth a session, so section 1.6's TLS is no choice; the one exception is a server on the loopback interface, which nobody
/// on the network can read (RFC 8252 section 8.3).
package struct ServerEndpoint: Sendable {
    /// As the server wrote it.
    package let url: String
    private let target: TargetURL

    package init(_ url: String) throws(ServerEndpointError) {
        guard !url.utf8.contains(UInt8(ascii: "#")) else { throw .hasFragment }
        guard let target = TargetURL(url) else { throw .notHTTP }
        guard target.scheme == "https" || Self.isLoopback(target.authority) else { throw .notEncrypted }
        self.url = url
        self.target = target
    }

    static func isLoopback(_ authority: String) -> Bool { Authority(authority)?.isLoopback == true }

    /// A request to this endpoint.
    package func request(_ method: HTTPRequest.Method, headerFields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: target.scheme, authority: target.authority, path: target.pathAndQuery,
            headerFields: headerFields)
    }

    /// The URL with more parameters behind those that it has (RFC 6749 section 3.1).
    func appending(query parameters: [(name: String, value: String)]) -> String {
        var bytes = Array(url.utf8)
        if !url.utf8.contains(UInt8(ascii: "?")) {
            bytes.append(UInt8(ascii: "?"))
        } else if let last = bytes.last, last != UInt8(ascii: "?"), last != UInt8(ascii: "&") {
            bytes.append(UInt8(ascii: "&"))
        }
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            PercentEncoding.append(parameter.name.utf8, space: .percentEncoded, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(parameter.value.utf8, space: .percentEncoded, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ServerEndpoint: Hashable {
    package static func == (left: Self, right: Self) -> Bool { sameText(left.url, right.url) }
    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(url)) }
}

extension ServerEndpoint: CustomStringConvertible {
    package var description: String { url }
}

/// What is wrong with the URL of an endpoint.
///
///     do throws(ServerEndpointError) {
///         _ = try SessionManager(
///             cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
///     } catch {
///         print(error)    // it is an http URL of another machine: tokens go over https, and over http to this machine alone
///     }
public enum ServerEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no URL of `https`.
    case notHTTP
    /// It is one of `http`, and of another machine.
    case notEncrypted
    /// It has a `#`.
    case hasFragment

    /// In words, for a log.
    public var description: String {
        switch self {
        case .notHTTP: "it is no https URL with a plain host, perhaps a port, a path and a query"
        case .notEncrypted:
            "it is an http URL of another machine: tokens go over https, and over http to this machine alone"
        case .hasFragment: "it has a fragment (#)"
        }
    }
}
