import HTTPMessages
import Networking
import OAuth
import Primitives
import SessionClient
import SessionProxy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the options of `proxy` say.
struct ProxySettings {
    let upstream: UpstreamAddress
    let issuer: Issuer
    let client: ClientIdentity
    let paths: ProxyPaths
    private let arguments: Arguments

    /// Longer ones are no secret of a client.
    private static let greatestSecretBytes = 4096

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        guard let upstream = arguments[ProxyOptions.upstream] else {
            throw .usage("--upstream is missing: which server gets the requests?")
        }
        guard let issuer = arguments[ProxyOptions.issuer] else {
            throw .usage("--issuer is missing: where do users sign in?")
        }
        guard let clientID = arguments[ProxyOptions.clientID] else {
            throw .usage("--client-id is missing: who is the proxy to the provider?")
        }
        // The tokens go there: in the clear only within this machine.
        guard
            upstream.scheme == "https" || PublicOrigin(upstream.origin)?.isLoopback == true
                || arguments[ProxyOptions.plainUpstream]
        else {
            throw .usage(
                "--upstream is an http URL of another machine, and tokens would go there in the clear",
                hint: "Give --allow-plain-upstream if the network between is nobody else's.")
        }
        self.upstream = upstream
        self.issuer = issuer
        client = ClientIdentity(clientID, authentication: try Self.authentication(arguments))
        do throws(ProxyConfigurationError) {
            paths = try ProxyPaths(
                session: arguments[ProxyOptions.sessionPath], callback: arguments[ProxyOptions.callbackPath])
        } catch {
            throw .usage(error.description)
        }
    }

    private static func authentication(
        _ arguments: Arguments
    ) throws(CommandFailure) -> ClientIdentity.Authentication {
        var bytes: [UInt8]
        if let file = arguments[ProxyOptions.secretFile] {
            do throws(FileError) { bytes = try FileSystem.read(file, limit: greatestSecretBytes) } catch {
                throw error.failure
            }
            while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard !bytes.isEmpty else { throw .badInput("\(file): there is no secret in it") }
        } else {
            guard let text = getenv("PAWL_PROXY_CLIENT_SECRET").map({ String(cString: $0) }), !text.isEmpty else {
                return .none
            }
            bytes = Array(text.utf8)
        }
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        let secret = Secret(bytes)
        return arguments[ProxyOptions.authentication] == .basic ? .basic(secret) : .post(secret)
    }

    /// - Parameter addresses: where the proxy listens, which is where browsers find it unless somebody says otherwise.
    func configuration(at addresses: [BoundAddress]) throws(CommandFailure) -> ProxyConfiguration {
        guard let origin = arguments[ProxyOptions.publicURL] ?? Self.origin(of: addresses) else {
            throw .usage("where do browsers find the proxy?", hint: "Say so with --public-url.")
        }
        do throws(ProxyConfigurationError) {
            var configuration = try ProxyConfiguration(
                origin: origin, upstream: upstream, paths: paths, scope: arguments[ProxyOptions.scope],
                cookieName: arguments[ProxyOptions.cookieName])
            configuration.lifetimes.idle = arguments[ProxyOptions.idle]
            configuration.lifetimes.absolute = arguments[ProxyOptions.absolute]
            configuration.lifetimes.login = arguments[ProxyOptions.login]
            configuration.limits.sessions = arguments[ProxyOptions.sessions]
            configuration.limits.sessionsOfOneUser = arguments[ProxyOptions.sessionsOfOneUser]
            configuration.limits.bodyBytes = arguments[ProxyOptions.body]
            configuration.sameSite = ResponseCookie.SameSite(arguments[ProxyOptions.sameSite])
            configuration.outlivesTheBrowser = arguments[ProxyOptions.persistent]
            configuration.takesSessions = arguments[ProxyOptions.handover]
            return configuration
        } catch {
            throw .usage(error.description)
        }
    }

    /// Every address of a machine is none that a browser goes to.
    private static func origin(of addresses: [BoundAddress]) -> PublicOrigin? {
        let candidates = addresses.filter { bound in
            guard case .ip(let host, _) = bound.address else { return false }
            return host != "0.0.0.0" && host != "::"
        }
        return (candidates.first(where: \.isEncrypted) ?? candidates.first).flatMap { PublicOrigin($0.description) }
    }
}
