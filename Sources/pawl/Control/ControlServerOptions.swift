import HTTPMessages
import HTTPWire
import IdentityProvider
import Networking
import OAuth
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Which server a command speaks to, and by what right.
enum ControlServerOptions {
    static let group = OptionGroup(title: "Server")

    static let url = Option.value(
        "url", .text("URL"), default: "http://127.0.0.1:8080", in: group, environment: "PAWL_URL",
        "Where the server is: its issuer, or that of a tenant.")
    static let secretFile = Option.optional(
        "control-secret-file", .file, in: group, environment: "PAWL_CONTROL_SECRET_FILE",
        defaultNote: "what PAWL_CONTROL_SECRET says, or none", "The file with the control secret of the server.")
    static let authorities = Option.optional(
        "ca", .file, in: group, environment: "PAWL_CA",
        "A PEM file of authorities to be trusted besides those of the system, for https.")

    static let rows = [url.row, secretFile.row, authorities.row]

    /// Lets `body` speak to the server that the arguments name.
    static func withServer<Result: Sendable>(
        _ arguments: Arguments, _ body: (ControlServer) async throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        let address = try ControlAddress(arguments[url])
        let secret = try secret(arguments)
        let group: EventLoopGroup
        do { group = try EventLoopGroup(count: 1) } catch { throw .environment(error.description) }
        defer { group.shutdown() }
        var configuration = ClientConfiguration()
        // An answer may wait for a minute, and then be complete.
        configuration.responseTimeout = .seconds(75)
        configuration.limits.bodyBytes = greatestAnswerBytes
        do throws(NetworkingError) {
            if address.isEncrypted {
                configuration.tls = try TLSClientContext(
                    trust: arguments[authorities].map { TLSTrust.systemAnd(authorities: $0) } ?? .system)
            }
        } catch {
            throw .badInput(error.description)
        }
        return try await body(
            ControlServer(
                address: address, secret: secret,
                client: HTTPClient(group: group, configuration: configuration)))
    }

    /// A list may be long, and a stream of events goes on as long as somebody looks.
    private static let greatestAnswerBytes = 1 << 40

    private static func secret(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let file = arguments[secretFile] else {
            let text = getenv("PAWL_CONTROL_SECRET").map { String(cString: $0) } ?? ""
            guard text.isEmpty || BearerCredentials.isToken(Array(text.utf8)) else {
                throw .usage("PAWL_CONTROL_SECRET holds no control secret")
            }
            return text.isEmpty ? nil : text
        }
        var bytes: [UInt8]
        do throws(FileError) { bytes = try FileSystem.read(file, limit: 4096) } catch { throw error.failure }
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty, BearerCredentials.isToken(bytes) else {
            throw .badInput(
                "\(file) holds no control secret", hint: "it is the file of 'pawl serve --control-secret-file'")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
