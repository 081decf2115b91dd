import COpenSSL
import HTTPMessages
import Primitives

extension TLSSession {
    /// What a client has shown, taken apart; to be asked for once, when the handshake is done. `nil` when it has shown
    /// none, and for one that cannot be taken apart.
    func clientCertificate() -> ClientCertificate? {
        guard let certificate = SSL_get0_peer_certificate(session) else { return nil }
        defer { ERR_clear_error() }
        return ClientCertificate(certificate, isTrusted: SSL_get_verify_result(session) == Int(X509_V_OK))
    }

    /// By whose time a certificate of the other end is judged.
    func setVerificationTime(_ moment: Timestamp) {
        X509_VERIFY_PARAM_set_time(SSL_get0_param(session), time_t(moment.secondsSinceEpoch))
    }
}
