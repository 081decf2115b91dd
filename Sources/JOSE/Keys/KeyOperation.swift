/// The `key_ops` that matter to signatures (RFC 7517 section 4.3).
package enum KeyOperation: String, Sendable {
    case sign, verify
}
