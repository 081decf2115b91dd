import IdentityProvider
import OAuth
import Primitives

/// Who may use the control API, and how much it remembers.
enum ControlOptions {
    static let group = OptionGroup(title: "Control API")

    static let secretFile = Option.optional(
        "control-secret-file", .file, in: group, environment: "PAWL_CONTROL_SECRET_FILE",
        defaultNote: "programs on this machine use it without a secret, and nobody else does",
        "Let whoever presents the secret in this file use the control API, from wherever, and nobody else.")
    static let off = Option.flag(
        "no-control", in: group, environment: "PAWL_NO_CONTROL",
        "Have no control API. Behind a proxy this or --control-secret-file is needed: not every proxy can be told.")
    static let recordedRequests = Option.value(
        "record-requests", .count(in: 0...RequestRecords.maximumCapacity), default: "1000", in: group,
        environment: "PAWL_RECORD_REQUESTS",
        "Keep so many of the last requests, to be looked at through the control API; 0 keeps none.")

    static let rows = [secretFile.row, off.row, recordedRequests.row]

    /// Shorter ones can be tried out.
    static let leastSecretByteCount = 16

    static func policy(_ arguments: Arguments) throws(CommandFailure) -> ControlPolicy {
        guard let file = arguments[secretFile] else { return arguments[off] ? .off : .loopback }
        guard !arguments[off] else { throw .usage("--control-secret-file has no meaning with --no-control") }
        var bytes: [UInt8]
        do throws(FileError) { bytes = try FileSystem.read(file, limit: 4096) } catch { throw error.failure }
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= leastSecretByteCount, BearerCredentials.isToken(bytes) else {
            throw .badInput(
                "\(file): a control secret has at least \(leastSecretByteCount) characters: letters, digits and -._~+/")
        }
        return .secret(SharedSecret(Secret(bytes)))
    }
}

extension ControlPolicy {
    /// For the start report.
    var name: String {
        switch self {
        case .loopback: "loopback"
        case .secret: "secret"
        case .off: "off"
        }
    }

    /// - Parameter base: the path of the issuer, below which everything is.
    func summary(below base: String) -> String {
        let document = "\(base)/openapi.json describes it"
        return switch self {
        case .loopback: "\(base)\(ControlAPI.path), for programs on this machine; \(document)"
        case .secret: "\(base)\(ControlAPI.path), with Authorization: Bearer and the control secret; \(document)"
        case .off: "off"
        }
    }
}
