import COpenSSL
import Glibc

/// One TLS connection over a non-blocking descriptor. Confined to the loop of its connection.
///
/// Reading may have to write and writing may have to read (a key update, a ticket): whoever is told `wouldBlock`
/// tries again on the next event of either kind.
final class TLSSession {
    let session: OpaquePointer
    private(set) var isEstablished = false
    /// After a failure nothing more may be sent, not even the goodbye (SSL_shutdown(3)).
    private var hasFailed = false

    enum Role {
        case server
        case client
    }

    enum Outcome: Equatable {
        case done(Int)
        case wouldBlock
        /// The other end said goodbye. A server takes an end of the stream for a goodbye: what a request is made of says
        /// by itself whether it is whole.
        case closed
        case failed(Failure)
    }

    enum Failure: Equatable {
        /// What came is HTTP, not TLS.
        case plainHTTP
        /// The text is OpenSSL's.
        case other(String)
    }

    init?(context: OpaquePointer, descriptor: Int32, role: Role) {
        guard let session = SSL_new(context) else { return nil }
        self.session = session
        guard SSL_set_fd(session, descriptor) == 1 else { return nil }
        switch role {
        case .server: SSL_set_accept_state(session)
        case .client: SSL_set_connect_state(session)
        }
    }

    deinit {
        SSL_free(session)
    }

    /// For a client: whom to ask for (RFC 6066 section 3), and whose certificate to insist on. RFC 9525 section 2: a
    /// name in the subject is none.
    func expect(host: String, isAddress: Bool) -> Bool {
        guard let parameters = SSL_get0_param(session) else { return false }
        X509_VERIFY_PARAM_set_hostflags(parameters, Certificate.nameFlags)
        if isAddress { return X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 }
        return pawl_SSL_set_tlsext_host_name(session, host) == 1
            && X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
    }

    /// `done` once both ends agree.
    func handshake() -> Outcome {
        ERR_clear_error()
        let code = SSL_do_handshake(session)
        guard code == 1 else { return outcome(of: code) }
        isEstablished = true
        return .done(0)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        var count = 0
        let code = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? .done(count) : outcome(of: code)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        ERR_clear_error()
        var count = 0
        let code = SSL_write_ex(session, bytes.baseAddress, bytes.count, &count)
        return code == 1 ? .done(count) : outcome(of: code)
    }

    /// Says goodbye, so that the other end can tell a whole answer from one that was cut off (RFC 8446 section
    /// 6.1). Does not wait for its goodbye.
    func shutdown() {
        guard isEstablished, !hasFailed else { return }
        ERR_clear_error()
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    var versionName: String { String(cString: SSL_get_version(session)) }

    private func outcome(of code: Int32) -> Outcome {
        switch SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN:
            return .closed
        case SSL_ERROR_SYSCALL:
            let code = errno
            hasFailed = true
            ERR_clear_error()
            return .failed(.other(NetworkingError.text(of: code)))
        default:
            hasFailed = true
            let error = ERR_peek_error()
            let reason = ERR_GET_REASON(error)
            if reason == SSL_R_HTTP_REQUEST {
                ERR_clear_error()
                return .failed(.plainHTTP)
            }
            return .failed(.other(verificationFailure ?? OpenSSLErrors.drain()))
        }
    }

    /// Why the other end's certificate was refused, which says more than "certificate verify failed".
    private var verificationFailure: String? {
        let code = SSL_get_verify_result(session)
        guard code != Int(X509_V_OK), ERR_GET_REASON(ERR_peek_error()) == SSL_R_CERTIFICATE_VERIFY_FAILED else {
            return nil
        }
        ERR_clear_error()
        return "certificate refused: " + String(cString: X509_verify_cert_error_string(code))
    }
}
