/// Why a message was not written: it would have been read as something else. Nothing of it was appended.
package enum SerialiserError: Error, Hashable {
    /// A field value or a reason phrase holds CR, LF, NUL or another control byte (RFC 9110 section 5.5): it could add
    /// fields or a whole message of the attacker's making.
    case controlByte
    /// The status is a 1xx, after which a client waits for the real response: it would take the next one for it.
    case interimStatus
    /// The request target is empty or holds a space, a control byte or a byte beyond ASCII.
    case badTarget
    /// The request has no authority, or one that is not a host with an optional port.
    case badAuthority
}
