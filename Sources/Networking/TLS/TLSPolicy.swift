import COpenSSL

/// What both ends are willing to speak.
enum TLSPolicy {
    /// The name of HTTP/1.1 in ALPN (RFC 7301 section 6).
    static let protocolName = Array("http/1.1".utf8)

    /// Forward secrecy and authenticated encryption only (RFC 9325 section 4.2); TLS 1.3 has nothing else.
    private static let cipherList = "ECDHE+AESGCM:ECDHE+CHACHA20"
    private static let groups = "X25519:P-256:P-384"

    static func apply(to context: OpaquePointer) throws(NetworkingError) {
        pawl_SSL_CTX_set_common_options(context)
        // A write that was cut short goes on from wherever the bytes are then.
        pawl_SSL_CTX_set_mode(
            context,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS))
        // Takes a record's header and content in one system call instead of two.
        pawl_SSL_CTX_set_read_ahead(context, 1)
        guard pawl_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1,
            SSL_CTX_set_cipher_list(context, cipherList) == 1,
            pawl_SSL_CTX_set1_groups_list(context, groups) == 1
        else { throw OpenSSLErrors.failure("TLS") }
    }
}
