import COpenSSL
import Primitives
import Synchronization

/// What the TLS connections of a server have in common: its certificate and key, and what it is willing to speak.
///
/// It may ask clients for a certificate. `reload` reads all files again. Connections that are open keep what they began with; new ones get the new certificate.
package final class TLSServerContext: Sendable {
    private let configuration: TLSConfiguration
    package let clientCertificates: TLSClientCertificates
    private let clock: any WallClock
    private let current: Mutex<Context>
    private let authority: Mutex<LocalAuthority?>

    /// Owns one reference to an `SSL_CTX`.
    fileprivate final class Context: @unchecked Sendable {
        // Only ever handed to SSL_new, which counts references by itself.
        let pointer: OpaquePointer

        init(adopting pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            SSL_CTX_free(pointer)
        }
    }

    /// What was read, and is not in use yet.
    struct Material: Sendable {
        fileprivate let context: Context
        fileprivate let authority: LocalAuthority?
    }

    /// Reads, or makes, certificate and key.
    package init(
        _ configuration: TLSConfiguration, clientCertificates: TLSClientCertificates = .none,
        clock: any WallClock = SystemWallClock()
    ) throws(NetworkingError) {
        self.configuration = configuration
        self.clientCertificates = clientCertificates
        self.clock = clock
        let material = try Self.load(configuration, clientCertificates, clock: clock)
        current = Mutex(material.context)
        authority = Mutex(material.authority)
    }

    /// Reads certificate and key again, and the authorities of clients; an automatic certificate is renewed if it is
    /// about to expire. When they cannot be used, the ones in use stay in use, and the error says why.
    package func reload() throws(NetworkingError) {
        use(try load())
    }

    /// The first half of `reload`, which may fail, and the second, which does not.
    func load() throws(NetworkingError) -> Material {
        try Self.load(configuration, clientCertificates, clock: clock)
    }

    func use(_ material: Material) {
        current.withLock { $0 = material.context }
        authority.withLock { $0 = material.authority }
    }

    /// What an automatic certificate was made with, and how to trust it; `nil` for a certificate that was given.
    package var localAuthority: LocalAuthority? {
        authority.withLock { $0 }
    }

    /// A session for a connection that has just been accepted.
    func makeSession(descriptor: Int32) -> TLSSession? {
        let context = current.withLock { $0 }
        guard let session = TLSSession(context: context.pointer, descriptor: descriptor, role: .server) else {
            return nil
        }
        if clientCertificates.areAskedFor { session.setVerificationTime(clock.now()) }
        return session
    }
}

extension TLSServerContext {
    private static func load(
        _ configuration: TLSConfiguration, _ clientCertificates: TLSClientCertificates, clock: any WallClock
    ) throws(NetworkingError) -> Material {
        let context: Context
        var authority: LocalAuthority?
        switch configuration {
        case .files(let certificate, let key):
            context = try makeContext(certificate: certificate, key: key)
        case .automatic(let directory, let names):
            let opened = try LocalAuthority.open(directory: directory, names: names, at: clock.now())
            context = try makeContext(certificate: opened.leafPath, key: opened.leafKeyPath)
            authority = opened
        }
        try ask(clientCertificates, in: context.pointer)
        return Material(context: context, authority: authority)
    }

    private static func makeContext(certificate: String, key: String) throws(NetworkingError) -> Context {
        ERR_clear_error()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw OpenSSLErrors.failure("TLS") }
        let context = Context(adopting: pointer)
        try TLSPolicy.apply(to: pointer)
        pawl_SSL_CTX_set_server_options(pointer)
        SSL_CTX_set_num_tickets(pointer, 1)
        var name: [UInt8] = Array("pawl".utf8)
        SSL_CTX_set_session_id_context(pointer, &name, UInt32(name.count))
        SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil)
        // Without this, OpenSSL would ask on the terminal for the passphrase of an encrypted key.
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in -1 }
        guard SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1 else {
            throw OpenSSLErrors.failure("cannot use the certificate \(certificate)")
        }
        guard SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1 else {
            throw OpenSSLErrors.failure("cannot use the key \(key) with the certificate \(certificate)")
        }
        guard SSL_CTX_check_private_key(pointer) == 1 else {
            throw OpenSSLErrors.failure("the key \(key) is not that of the certificate \(certificate)")
        }
        return context
    }
}

/// RFC 7301 section 3.2: picks `http/1.1`; a client that offers protocols, and this one not among them, is refused.
private let selectProtocol: SSL_CTX_alpn_select_cb_func = { _, output, outputLength, input, inputLength, _ in
    guard let input, let output, let outputLength else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    var offset = 0
    let end = Int(inputLength)
    while offset < end {
        let length = Int(input[offset])
        let name = UnsafeBufferPointer(start: input + offset + 1, count: min(length, end - offset - 1))
        if name.elementsEqual(TLSPolicy.protocolName) {
            output.pointee = input + offset + 1
            outputLength.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        offset += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
