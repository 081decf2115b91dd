import COpenSSL
import Primitives

/// An X.509 certificate (RFC 5280).
final class Certificate {
    let pointer: OpaquePointer

    /// How names are compared. RFC 9525 section 6.3: a wildcard is a whole label; section 2: the subject's common name
    /// is not looked at.
    static let nameFlags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)

    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }

    /// `nil` for anything that does not begin with one certificate.
    init?(pem: [UInt8]) {
        guard let pointer = PEMText.read(pem, by: { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
        self.pointer = pointer
    }

    func pem() throws(NetworkingError) -> [UInt8] {
        try PEMText.write { PEM_write_bio_X509($0, pointer) }
    }

    /// Whether it is still valid at `moment`.
    func isValid(at moment: Timestamp) -> Bool {
        var time = time_t(moment.secondsSinceEpoch)
        return X509_cmp_time(X509_get0_notAfter(pointer), &time) > 0
            && X509_cmp_time(X509_get0_notBefore(pointer), &time) < 0
    }

    func matches(_ key: CertificateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(pointer, key.pointer) == 1
    }

    func isFor(_ name: CertificateName) -> Bool {
        switch name {
        case .host(let host): X509_check_host(pointer, host, host.utf8.count, Self.nameFlags, nil) == 1
        case .address(let address): X509_check_ip_asc(pointer, address, 0) == 1
        }
    }

    /// Whether `authority` vouches for it at `moment`, with its name constraints observed (RFC 5280 section 6).
    func isVouchedFor(by authority: Certificate, at moment: Timestamp) -> Bool {
        defer { ERR_clear_error() }
        guard let store = X509_STORE_new() else { return false }
        defer { X509_STORE_free(store) }
        guard X509_STORE_add_cert(store, authority.pointer) == 1, let context = X509_STORE_CTX_new() else {
            return false
        }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, pointer, nil) == 1 else { return false }
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_time(parameters, time_t(moment.secondsSinceEpoch))
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER)
        return X509_verify_cert(context) == 1
    }
}
