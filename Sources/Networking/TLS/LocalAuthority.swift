import Primitives

/// A certificate authority for this machine alone, kept in a directory, and a server certificate by it.
///
/// The authority is made once and then used for as long as it lasts, so that it has to be trusted once. It can vouch for
/// servers with the names it was made for, and for none else (RFC 5280 section 4.2.1.10): whoever steals it cannot
/// pretend to be somebody else's site. Nor can he sign for people or programs, as far as a verifier applies an
/// authority's purpose (section 4.2.1.12) to what it signs; OpenSSL does for clients of TLS and for mail.
///
/// The server's certificate is made anew when it is about to expire or when it is asked for others of these names.
package struct LocalAuthority: Hashable, Sendable {
    package let directory: String
    /// The authority's certificate: what clients are to trust.
    package let authorityPath: String
    /// The server's certificate and its key.
    package let leafPath: String
    package let leafKeyPath: String
    /// Whether it was made just now, and so is not trusted by anybody yet.
    package let isNew: Bool

    /// How long an authority lasts.
    private static let authorityLifetime = Duration.seconds(3650 * 86_400)
    /// How long a server certificate lasts: browsers accept 397 days at most, including its last second.
    private static let leafLifetime = Duration.seconds(390 * 86_400)
    /// What is left of a lifetime when a certificate is made anew.
    private static let renewal = Duration.seconds(30 * 86_400)
    /// Clocks of clients that are late must not refuse what was made just now.
    private static let backdating = Duration.seconds(3600)

    /// Opens what is in `directory`, and makes what is missing or about to expire.
    ///
    /// People have told their systems to trust the authority, so it is never replaced behind their backs: one that is
    /// damaged, or that may not vouch for `names`, is an error that says what to do.
    static func open(directory: String, names: [String], at now: Timestamp) throws(NetworkingError) -> Self {
        var wanted: [CertificateName] = [.host("localhost"), .address("127.0.0.1"), .address("::1")]
        for text in names {
            guard let name = CertificateName(text) else {
                throw NetworkingError(.invalidAddress, "'\(text)' is neither a host name nor an IP address")
            }
            if !wanted.contains(name) { wanted.append(name) }
        }
        let store = try PrivateDirectory(path: directory)
        let known = try loadAuthority(from: store, in: directory, at: now)
        if let known, try leafIsUsable(in: store, names: wanted, issuer: known.certificate, at: now) {
            return Self(directory: directory, store: store, isNew: false)
        }
        let authority = if let known { known } else { try makeAuthority(in: store, names: wanted, at: now) }
        guard try makeLeaf(in: store, names: wanted, issuer: authority, at: now) else {
            throw NetworkingError(
                .tls,
                "the local authority in \(directory) was made for other names, and may not vouch for all of these; take "
                    + "another directory, or remove this one to have an authority made that must be trusted anew")
        }
        return Self(directory: directory, store: store, isNew: known == nil)
    }

    private init(directory: String, store: PrivateDirectory, isNew: Bool) {
        self.directory = directory
        authorityPath = store.path(of: File.authority)
        leafPath = store.path(of: File.leaf)
        leafKeyPath = store.path(of: File.leafKey)
        self.isNew = isNew
    }

    private enum File {
        static let authority = "ca.pem"
        static let authorityKey = "ca-key.pem"
        static let leaf = "server.pem"
        static let leafKey = "server-key.pem"
    }
}

// MARK: Trust

extension LocalAuthority {
    /// How to make clients trust the authority, for a person to read. `url` is where the server is.
    package func instructions(url: String) -> String {
        """
        The certificate is signed by a local authority that this machine has made for itself:
          \(authorityPath)
        It can vouch only for servers with the names it was made for. To trust it
          once, with curl:     curl --cacert \(authorityPath) \(url)
          in Node, one shell:  export NODE_EXTRA_CA_CERTS=\(authorityPath)
          on Debian, Ubuntu:   sudo cp \(authorityPath) /usr/local/share/ca-certificates/pawl-local.crt \
        && sudo update-ca-certificates
          on Fedora, RHEL:     sudo trust anchor \(authorityPath)
          in Firefox, Chrome:  Settings, Privacy and security, Certificates, Authorities, Import
        """
    }
}

// MARK: Making and checking

extension LocalAuthority {
    private typealias Issuer = (certificate: Certificate, key: CertificateKey)

    /// `nil` where there is none yet, and where the one that is there has nearly expired.
    private static func loadAuthority(
        from store: PrivateDirectory, in directory: String, at now: Timestamp
    ) throws(NetworkingError) -> Issuer? {
        let keyText = try store.read(File.authorityKey, secret: true)
        let text = try store.read(File.authority, secret: false)
        // The key is written first: alone, it is what a first start leaves that was cut off.
        guard text != nil else { return nil }
        guard let keyText, let text, let key = CertificateKey(pem: keyText), let certificate = Certificate(pem: text),
            certificate.matches(key)
        else {
            throw NetworkingError(
                .tls,
                "the local authority in \(directory) is damaged: \(File.authority) and \(File.authorityKey) do not belong "
                    + "together; put them back, or remove both to have an authority made that must be trusted anew")
        }
        guard certificate.isValid(at: now), certificate.isValid(at: now + renewal) else { return nil }
        return (certificate, key)
    }

    private static func leafIsUsable(
        in store: PrivateDirectory, names: [CertificateName], issuer: Certificate, at now: Timestamp
    ) throws(NetworkingError) -> Bool {
        guard let keyText = try store.read(File.leafKey, secret: true),
            let text = try store.read(File.leaf, secret: false),
            let key = CertificateKey(pem: keyText), let leaf = Certificate(pem: text)
        else { return false }
        return leaf.matches(key) && leaf.isVouchedFor(by: issuer, at: now) && leaf.isValid(at: now + renewal)
            && names.allSatisfy(leaf.isFor)
    }

    private static func makeAuthority(
        in store: PrivateDirectory, names: [CertificateName], at now: Timestamp
    ) throws(NetworkingError) -> Issuer {
        let key = try CertificateKey.generate()
        let template = CertificateTemplate(
            commonName: "Pawl local authority", notBefore: now - backdating, notAfter: now + authorityLifetime,
            role: .authority(confinedTo: names))
        let certificate = try template.make(for: key)
        try store.write(try key.pem(), to: File.authorityKey, mode: 0o600)
        try store.write(try certificate.pem(), to: File.authority, mode: 0o644)
        return (certificate, key)
    }

    /// `false` when the issuer may not vouch for these names.
    private static func makeLeaf(
        in store: PrivateDirectory, names: [CertificateName], issuer: Issuer, at now: Timestamp
    ) throws(NetworkingError) -> Bool {
        let key = try CertificateKey.generate()
        let template = CertificateTemplate(
            commonName: "Pawl on this machine", notBefore: now - backdating, notAfter: now + leafLifetime,
            role: .server(names: names))
        let leaf = try template.make(for: key, issuer: issuer)
        guard leaf.isVouchedFor(by: issuer.certificate, at: now) else { return false }
        try store.write(try key.pem(), to: File.leafKey, mode: 0o600)
        try store.write(try leaf.pem(), to: File.leaf, mode: 0o644)
        return true
    }
}
