/// The versions of HTTP that share the syntax of RFC 9112.
package enum HTTPVersion: UInt8, Hashable, Sendable {
    case http10
    case http11
}
