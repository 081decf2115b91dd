/// Who may use the control API.
package enum ControlPolicy: Sendable {
    /// Programs on this machine, and nobody whom a browser or a proxy let in.
    case loopback
    /// Whoever presents this secret, from wherever.
    case secret(SharedSecret)
    /// Nobody: there is no such API.
    case off
}
