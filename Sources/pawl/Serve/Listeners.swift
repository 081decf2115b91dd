import Networking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the options of `serve` say about addresses and certificates.
struct Listeners {
    let all: [ServerConfiguration.Listener]
    /// `nil` without TLS, and where every listener for HTTPS asks for client certificates.
    let tls: TLSServerContext?
    /// For the listeners that ask for client certificates; `nil` without such.
    let mutualTLS: TLSServerContext?

    var hasTLS: Bool { tls != nil || mutualTLS != nil }

    /// What the automatic certificate was made with. Both contexts share it.
    var localAuthority: LocalAuthority? { tls?.localAuthority ?? mutualTLS?.localAuthority }

    /// Where HTTPS is when nobody says where.
    private static let standardTLSPort = 8443

    init(_ arguments: Arguments) throws(CommandFailure) {
        try self.init(
            arguments, tlsPort: Self.standardTLSPort, mutual: arguments[ListenOptions.mutualListen],
            authorities: arguments[ListenOptions.mutualAuthorities])
    }

    /// - Parameters:
    ///   - tlsPort: of this machine, where HTTPS is when nobody says where.
    ///   - mutual: where clients are asked for certificates, which the authorities vouch for.
    init(
        _ arguments: Arguments, tlsPort: Int, mutual: [ListenAddress] = [], authorities: String? = nil
    ) throws(CommandFailure) {
        let plain = arguments[ListenOptions.noHTTP] ? [] : try Self.plainAddresses(arguments)
        let configuration = try Self.tlsConfiguration(arguments)
        let encrypted =
            configuration == nil ? [] : Self.encryptedAddresses(arguments, tlsPort: tlsPort, hasOthers: !mutual.isEmpty)
        guard !(plain.isEmpty && encrypted.isEmpty && mutual.isEmpty) else {
            throw .usage("there is nothing to listen on", hint: "With --no-http, give --tls auto or --tls-listen.")
        }
        guard authorities == nil || !mutual.isEmpty else {
            throw .usage("--mtls-ca is for the addresses of --mtls-listen, and there are none")
        }
        tls = encrypted.isEmpty ? nil : try Self.tlsContext(configuration)
        mutualTLS =
            mutual.isEmpty
            ? nil : try Self.tlsContext(configuration, clientCertificates: .optional(authorities: authorities))
        all =
            plain.map { ServerConfiguration.Listener($0) }
            + encrypted.map { [tls] in ServerConfiguration.Listener($0, tls: tls) }
            + mutual.map { [mutualTLS] in ServerConfiguration.Listener($0, tls: mutualTLS) }
    }

    private static func plainAddresses(_ arguments: Arguments) throws(CommandFailure) -> [ListenAddress] {
        guard let port = arguments[ListenOptions.port] else { return arguments[ListenOptions.listen] }
        guard !arguments.isGiven(ListenOptions.listen) else {
            throw .usage("--port is short for --listen, and both are given")
        }
        return [.ip(host: "127.0.0.1", port: port)]
    }

    /// Whoever asks for listeners with client certificates, and for nothing else of TLS, gets those alone.
    private static func encryptedAddresses(
        _ arguments: Arguments, tlsPort: Int, hasOthers: Bool
    ) -> [ListenAddress] {
        let chosen = arguments[ListenOptions.tlsListen]
        guard chosen.isEmpty else { return chosen }
        let isWanted = arguments[ListenOptions.tls] != nil || !hasOthers
        return isWanted ? [.ip(host: "127.0.0.1", port: tlsPort)] : []
    }

    private static func tlsContext(
        _ configuration: TLSConfiguration?, clientCertificates: TLSClientCertificates = .none
    ) throws(CommandFailure) -> TLSServerContext? {
        guard let configuration else { return nil }
        do throws(NetworkingError) {
            return try TLSServerContext(configuration, clientCertificates: clientCertificates)
        } catch {
            throw error.failure
        }
    }

    private static func tlsConfiguration(_ arguments: Arguments) throws(CommandFailure) -> TLSConfiguration? {
        switch (arguments[ListenOptions.certificate], arguments[ListenOptions.key]) {
        case (let certificate?, let key?):
            guard arguments[ListenOptions.tls] != .auto else {
                throw .usage("--tls auto makes a certificate, and --tls-cert gives one")
            }
            return .files(certificate: certificate, key: key)
        case (nil, nil):
            let isWanted =
                arguments[ListenOptions.tls] != nil || arguments.isGiven(ListenOptions.tlsListen)
                || arguments.isGiven(ListenOptions.mutualListen) || arguments.isGiven(ListenOptions.directory)
                || arguments.isGiven(ListenOptions.names)
            guard isWanted else { return nil }
            guard arguments[ListenOptions.tls] != .files else {
                throw .usage("--tls files needs --tls-cert and --tls-key")
            }
            let directory: String
            if let chosen = arguments[ListenOptions.directory] {
                directory = chosen
            } else {
                directory = try standardDirectory()
            }
            do throws(FileError) { try FileSystem.createPrivateDirectory(directory) } catch { throw error.failure }
            return .automatic(directory: directory, names: arguments[ListenOptions.names])
        default:
            throw .usage("--tls-cert and --tls-key belong together")
        }
    }

    /// The data directory of the XDG base directory specification: an absolute path, or none.
    private static func standardDirectory() throws(CommandFailure) -> String {
        if let data = getenv("XDG_DATA_HOME").map({ String(cString: $0) }), data.hasPrefix("/") {
            return data + "/pawl/tls"
        }
        guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else {
            throw .usage("there is no HOME to keep the local authority in", hint: "Say where with --tls-dir DIR.")
        }
        return home + "/.local/share/pawl/tls"
    }
}

extension NetworkingError {
    /// What the process exits with: a certificate that is no good is input; the rest is the system's refusal.
    var failure: CommandFailure {
        switch kind {
        case .tls: .badInput(description)
        case .invalidAddress: .usage(description)
        case .addressInUse:
            .environment(
                description,
                hint: "Choose another with --listen or PAWL_LISTEN; for HTTPS, with --tls-listen or "
                    + "--mtls-listen.")
        default: .environment(description)
        }
    }
}
