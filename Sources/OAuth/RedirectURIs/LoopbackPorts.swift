/// Whether the port of a loopback redirect URI counts when it is compared.
package enum LoopbackPorts: Hashable, Sendable {
    /// RFC 8252 section 7.3: a native app listens on whatever port is free.
    case any
    /// A web client has a port of its own.
    case exact
}
