import COpenSSL

/// Whom a client trusts.
package enum TLSTrust: Hashable, Sendable {
    /// The authorities that the system trusts.
    case system
    /// The authorities in a PEM file, and no other.
    case authorities(file: String)
    /// The authorities that the system trusts, and those in a PEM file.
    case systemAnd(authorities: String)
}

/// What the TLS connections of a client have in common.
package final class TLSClientContext: @unchecked Sendable {
    // Never changed after the initialiser; SSL_new counts references by itself.
    private let context: OpaquePointer

    package init(trust: TLSTrust = .system) throws(NetworkingError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw OpenSSLErrors.failure("TLS") }
        self.context = context
        try TLSPolicy.apply(to: context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let offer = [UInt8(TLSPolicy.protocolName.count)] + TLSPolicy.protocolName
        SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count))
        switch trust {
        case .system:
            try trustSystem()
        case .authorities(let file):
            try trustAuthorities(in: file)
        case .systemAnd(let file):
            try trustSystem()
            try trustAuthorities(in: file)
        }
    }

    private func trustSystem() throws(NetworkingError) {
        guard SSL_CTX_set_default_verify_paths(context) == 1 else {
            throw OpenSSLErrors.failure("cannot read the authorities that the system trusts")
        }
    }

    private func trustAuthorities(in file: String) throws(NetworkingError) {
        guard SSL_CTX_load_verify_file(context, file) == 1 else {
            throw OpenSSLErrors.failure("cannot read the authorities in \(file)")
        }
    }

    /// Whether any authority was read. Where a system keeps each in a file of its own, it is read when it is needed.
    var hasAuthorities: Bool {
        guard let found = X509_STORE_get0_objects(SSL_CTX_get_cert_store(context)) else { return false }
        return OPENSSL_sk_num(found) > 0
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// A session with a server that must prove to be `host`.
    func makeSession(descriptor: Int32, host: String) -> TLSSession? {
        guard let session = TLSSession(context: context, descriptor: descriptor, role: .client) else { return nil }
        let isAddress = host.contains(":") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return session.expect(host: host, isAddress: isAddress) ? session : nil
    }
}
