import COpenSSL

extension TLSServerContext {
    /// Has connections of `context` ask for a certificate.
    ///
    /// A session is never resumed there: each connection proves anew that the client has the key, and is judged by the
    /// authorities and the time of its own beginning. No names of authorities are sent: a client whose certificate is
    /// by none of them would take it that it need not show it (RFC 8446 section 4.2.4).
    static func ask(_ choice: TLSClientCertificates, in context: OpaquePointer) throws(NetworkingError) {
        guard case .optional(let authorities) = choice else { return }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context, judge, nil)
        pawl_SSL_CTX_set_max_cert_list(context, TLSClientCertificates.chainLimit)
        pawl_SSL_CTX_disable_resumption(context)
        guard let authorities else { return }
        guard SSL_CTX_load_verify_file(context, authorities) == 1 else {
            throw OpenSSLErrors.failure("cannot read the authorities in \(authorities)")
        }
        // Who is given as an authority is one, whether or not another vouches for him.
        X509_STORE_set_flags(SSL_CTX_get_cert_store(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }
}

/// Lets every certificate pass, and leaves it to the session's verification result whether it is trusted.
private let judge: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { context, _ in
    // A reason for distrust is no error of the connection, and must not be found among its errors.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    if X509_verify_cert(context) != 1, X509_STORE_CTX_get_error(context) == X509_V_OK {
        X509_STORE_CTX_set_error(context, X509_V_ERR_UNSPECIFIED)
    }
    return 1
}
