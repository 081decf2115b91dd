import Networking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the options of `serve` say about addresses and certificates.
struct Listeners {
    let all: [ServerConfiguration.Listener]
    /// `nil` without TLS.
    let tls: TLSServerContext?

    private static let standardTLSAddress = ListenAddress.ip(host: "127.0.0.1", port: 8443)

    init(_ arguments: Arguments) throws(CommandFailure) {
        let plain = arguments[ListenOptions.noHTTP] ? [] : arguments[ListenOptions.listen]
        tls = try Self.tlsContext(arguments)
        let chosen = arguments[ListenOptions.tlsListen]
        let encrypted = tls == nil ? [] : chosen.isEmpty ? [Self.standardTLSAddress] : chosen
        guard !(plain.isEmpty && encrypted.isEmpty) else {
            throw .usage("there is nothing to listen on", hint: "With --no-http, give --tls auto or --tls-listen.")
        }
        all =
            plain.map { ServerConfiguration.Listener($0) }
            + encrypted.map { [tls] in ServerConfiguration.Listener($0, tls: tls) }
    }

    private static func tlsContext(_ arguments: Arguments) throws(CommandFailure) -> TLSServerContext? {
        guard let configuration = try tlsConfiguration(arguments) else { return nil }
        do throws(NetworkingError) { return try TLSServerContext(configuration) } catch { throw error.failure }
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
                || arguments.isGiven(ListenOptions.directory) || arguments.isGiven(ListenOptions.names)
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
                description, hint: "Choose another with --listen or PAWL_LISTEN; for HTTPS, with --tls-listen.")
        default: .environment(description)
        }
    }
}
