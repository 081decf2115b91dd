import Networking
import OAuth

/// Where a server listens, and with which certificate.
enum ListenOptions {
    static let group = OptionGroup(title: "Addresses")
    static let tlsGroup = OptionGroup(title: "TLS")

    static let address = ValueReader(
        "ADDRESS", expecting: "HOST:PORT, [IPV6]:PORT or unix:PATH"
    ) { ListenAddress($0) }

    static let listen = Option.list(
        "listen", short: "l", address, default: ["127.0.0.1:8080"], in: group, environment: "PAWL_LISTEN",
        "Listen here for HTTP: HOST:PORT, [IPV6]:PORT or unix:PATH. Port 0 is a free one.")
    static let port = Option.optional(
        "port", short: "p", .count(in: 0...65_535), in: group, environment: "PAWL_PORT",
        defaultNote: "that of --listen", "Short for --listen 127.0.0.1:N.")
    static let noHTTP = Option.flag("no-http", in: group, environment: "PAWL_NO_HTTP", "Listen for HTTPS only.")
    static let portFile = Option.optional(
        "port-file", .file, in: group, environment: "PAWL_PORT_FILE",
        "Write the real ports there when all are open, one a line: those of --listen, of --tls-listen, of --mtls-listen."
    )
    static let issuer =
        Option.optional(
            "issuer",
            ValueReader("URL", expecting: "an http or https URL without query and fragment") { try? Issuer($0) },
            in: group, environment: "PAWL_ISSUER", defaultNote: "the scheme and host that the client used",
            "The issuer; the endpoints are below its path.")

    static let tls = Option.optional(
        "tls", .oneOf("MODE") as ValueReader<CertificateSource>, in: tlsGroup, environment: "PAWL_TLS",
        defaultNote: "no TLS, unless another option of this group is given",
        "Listen for HTTPS too. auto: with a certificate by a local authority, which is made once; files: with "
            + "--tls-cert and --tls-key.")
    static let tlsListen = Option.list(
        "tls-listen", address, in: tlsGroup, environment: "PAWL_TLS_LISTEN",
        defaultNote: "127.0.0.1:8443 with TLS, unless --mtls-listen alone asks for that", "Listen here for HTTPS.")
    static let mutualListen = Option.list(
        "mtls-listen", address, in: tlsGroup, environment: "PAWL_MTLS_LISTEN",
        "Listen here for HTTPS, and ask clients for a certificate (RFC 8705). Apart from --tls-listen, because a browser "
            + "asks its user which one to show.")
    static let mutualAuthorities = Option.optional(
        "mtls-ca", .file, in: tlsGroup, environment: "PAWL_MTLS_CA",
        defaultNote: "none; then a certificate counts only where its key is registered",
        "The authorities whose client certificates are trusted, as PEM. Read again at SIGHUP.")
    static let certificate = Option.optional(
        "tls-cert", .file, in: tlsGroup, environment: "PAWL_TLS_CERT",
        "The certificate, and those above it, as PEM. Read again at SIGHUP.")
    static let key = Option.optional(
        "tls-key", .file, in: tlsGroup, environment: "PAWL_TLS_KEY", "The key of the certificate, as PEM.")
    static let directory = Option.optional(
        "tls-dir", .directory, in: tlsGroup, environment: "PAWL_TLS_DIR",
        defaultNote: "pawl/tls below $XDG_DATA_HOME or ~/.local/share",
        "Where the local authority is kept.")
    static let names = Option.list(
        "tls-name", .text("NAME"), in: tlsGroup, environment: "PAWL_TLS_NAME",
        "Another name or IP address that the automatic certificate is for, besides localhost, 127.0.0.1 and ::1.")

    static let outboundAuthorities = Option.optional(
        "outbound-ca", .file, in: tlsGroup, environment: "PAWL_OUTBOUND_CA",
        defaultNote: "the authorities that the system trusts, and no others",
        "Authorities that are trusted besides those of the system, as PEM, when the server itself asks another: for keys, "
            + "request objects and sectors of clients, and to tell them of a logout.")

    static let rows = [
        listen.row, port.row, noHTTP.row, portFile.row, issuer.row, tls.row, tlsListen.row, certificate.row, key.row,
        directory.row, names.row, mutualListen.row, mutualAuthorities.row, outboundAuthorities.row,
    ]

    enum CertificateSource: String, CaseIterable, Sendable {
        case auto, files
    }
}
