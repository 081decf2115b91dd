import Crypto
import IdentityProvider
import Networking
import OAuth
import Primitives

/// Lines that work as they stand, in a shell or in a browser.
extension StartReport {
    struct Trial {
        enum Kind: String {
            case shell, browser
        }

        let meaning: String
        let line: String
        var kind = Kind.shell
    }

    /// Of clients of one kind, so many are shown.
    private static let longestSelection = 3

    var trials: [Trial] {
        guard let address = addresses.first else { return [] }
        var trials = clientCredentials(at: address)
        trials += passwords(at: address)
        trials += cookieSessions(at: address)
        trials += devices(at: address)
        trials += browserLogins(at: address)
        trials.append(Trial(meaning: "what the provider says of itself", line: metadataCommand(at: address)))
        if let encrypted = addresses.first(where: \.isEncrypted), encrypted != address {
            trials.append(Trial(meaning: "the same, encrypted", line: metadataCommand(at: encrypted)))
        }
        return trials
    }

    private func clientCredentials(at address: BoundAddress) -> [Trial] {
        let clients = root.clients.filter { $0.mayUse("client_credentials") && $0.provesItselfToCurl }
        return clients.prefix(Self.longestSelection).map { client in
            Trial(
                meaning: "a token for \(client.id) itself",
                line: "\(curl(at: address)) -u \(Self.credentials(of: client)) -d grant_type=client_credentials "
                    + Self.quoted(url(of: "/token", at: address)))
        }
    }

    /// A line for each user, where some client may use the grant.
    private func passwords(at address: BoundAddress) -> [Trial] {
        guard let client = root.clients.first(where: { $0.mayUse("password") && $0.provesItselfToCurl })
        else { return [] }
        return root.users.prefix(Self.longestSelection + 1).map { user in
            let password = user.hasKnownPassword ? user.username : "PASSWORD"
            let form = FormParameters([
                ("grant_type", "password"), ("username", user.username), ("password", password), ("scope", "openid"),
            ]).encoded
            return Trial(
                meaning: "tokens for \(user.username) by password, for \(client.id)",
                line: "\(curl(at: address)) -u \(Self.credentials(of: client)) -d \(Self.quoted(form)) "
                    + Self.quoted(url(of: "/token", at: address)))
        }
    }

    /// A cookie needs a jar, and the first line fills it.
    private func cookieSessions(at address: BoundAddress) -> [Trial] {
        guard case .ip = address.address, let user = root.users.first,
            let client = root.clients.first(where: { $0.metadata.cookieSession?.signIn.contains(.password) == true })
        else { return [] }
        let form = FormParameters([
            ("client_id", client.id), ("username", user.username),
            ("password", user.hasKnownPassword ? user.username : "PASSWORD"),
        ]).encoded
        let session = Self.quoted(url(of: "/session", at: address))
        let command = curl(at: address)
        return [
            Trial(
                meaning: "a session in cookies for \(user.username), for \(client.id)",
                line: "\(command) -c jar -d \(Self.quoted(form)) \(session)"),
            Trial(
                meaning: "its refresh token is replaced",
                line: "\(command) -b jar -c jar -X POST \(Self.quoted(url(of: "/session/refresh", at: address)))"),
        ]
    }

    /// What a device asks that has no browser: the answer says where a user connects it.
    private func devices(at address: BoundAddress) -> [Trial] {
        root.clients.filter { $0.isPublic && !$0.showsKey && $0.mayUse("urn:ietf:params:oauth:grant-type:device_code") }
            .prefix(Self.longestSelection).map { client in
                let form = FormParameters([("client_id", client.id), ("scope", "openid")]).encoded
                return Trial(
                    meaning: "a code for a device, for \(client.id)",
                    line: "\(curl(at: address)) -d \(Self.quoted(form)) "
                        + Self.quoted(url(of: "/device_authorization", at: address)))
            }
    }

    /// A secret that somebody chose is not repeated: curl asks for it.
    private static func credentials(of client: Client) -> String {
        quoted(client.hasKnownSecret ? "\(client.id):\(StandardClients.serviceSecret)" : client.id)
    }

    private func browserLogins(at address: BoundAddress) -> [Trial] {
        // Nobody can send a browser to a socket of this machine.
        guard case .ip = address.address, !root.requiresPushedRequests else { return [] }
        let clients = root.clients.filter { client in
            client.isPublic && !client.showsKey && client.asksByQuery && client.mayUse("authorization_code")
                && !client.metadata.redirectURIs.isEmpty
        }
        return clients.prefix(Self.longestSelection).flatMap { browserLogin($0, at: address) }
    }

    private func browserLogin(_ client: Client, at address: BoundAddress) -> [Trial] {
        guard let redirect = client.metadata.redirectURIs.first?.text else { return [] }
        // RFC 7636 section 4: a verifier for this line alone.
        let verifier = SystemRandom().identifier(byteCount: 32)
        let challenge = Base64URL.encode(HashFunction.sha256.digest(Array(verifier.utf8).span))
        let query = FormParameters([
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
            ("scope", "openid profile"), ("state", "1"), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]).encoded
        let form = FormParameters([
            ("grant_type", "authorization_code"), ("client_id", client.id), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]).encoded
        return [
            Trial(
                meaning: "a login in a browser, for \(client.id); the address where it ends has the code",
                line: url(of: "/authorize", at: address) + "?" + query, kind: .browser),
            Trial(
                meaning: "the tokens for that code",
                line: "\(curl(at: address)) -d \(Self.quoted(form)) -d code=CODE "
                    + Self.quoted(url(of: "/token", at: address))),
        ]
    }

    private func metadataCommand(at address: BoundAddress) -> String {
        "\(curl(at: address)) \(Self.quoted(url(of: "/.well-known/openid-configuration", at: address)))"
    }

    private func curl(at address: BoundAddress) -> String {
        var command = "curl"
        if address.isEncrypted, let authority { command += " --cacert \(Self.quoted(authority.authorityPath))" }
        if case .unix(let path) = address.address { command += " --unix-socket \(Self.quoted(path))" }
        return command
    }

    func url(of path: String, at address: BoundAddress) -> String {
        let base = issuer?.basePath ?? ""
        let scheme = address.isEncrypted ? "https" : "http"
        switch address.address {
        case .unix: return "\(scheme)://localhost\(base)\(path)"
        // Every address of this machine: no certificate is for that.
        case .ip("0.0.0.0", let port), .ip("::", let port): return "\(scheme)://localhost:\(port)\(base)\(path)"
        case .ip: return "\(address)\(base)\(path)"
        }
    }
}

extension Client {
    /// Whether its requests show a key, which a line of curl does not.
    fileprivate var showsKey: Bool { metadata.requiresDPoP || metadata.requiresCertificateBinding }

    /// Whether it may ask for a login by an address with a query.
    fileprivate var asksByQuery: Bool { !metadata.requiresPushedRequests && !metadata.requiresSignedRequestObjects }

    /// Whether `curl -u` is enough to be this client.
    fileprivate var provesItselfToCurl: Bool {
        secret != nil && !showsKey && ["client_secret_basic", nil].contains(metadata.authenticationMethod)
    }
}
