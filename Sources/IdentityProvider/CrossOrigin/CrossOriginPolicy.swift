/// Pages of which origins may read what the provider answers to one client: tokens and refusals. Documents, which say
/// the same to everybody, may be read by every page.
package enum CrossOriginPolicy: Hashable, Sendable {
    /// Those that this machine served: an application under development, whatever its port.
    case loopback
    /// These and no other.
    case listed(Set<WebOrigin>)
    /// Every page that a browser shows. With clients whose secrets are known, each of them can have tokens.
    case any
}
