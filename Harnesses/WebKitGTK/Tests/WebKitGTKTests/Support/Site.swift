import Foundation
import Synchronization
import WebKitGTKSurface

/// A small web site on the loopback interface, which remembers what it was asked and by which cookies.
///
/// `127.0.0.1` and `localhost` are two sites to a browser, and one to whoever stands here.
final class Site: Sendable {
    struct Request: Hashable, Sendable {
        let method: String
        let host: String
        let path: String
        /// The `Cookie` field; `nil`: there was none.
        let cookie: String?

        /// The names and values in it.
        var cookies: [String: String] {
            let pairs = (cookie ?? "").components(separatedBy: "; ").filter { !$0.isEmpty }
            return Dictionary(
                pairs.map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                }, uniquingKeysWith: { $0 + ", " + $1 })
        }
    }

    struct Answer: Sendable {
        var status: UInt32 = 200
        var type = "text/html; charset=utf-8"
        var setCookies: [String] = []
        var fields: [String: String] = [:]
        var body = ""

        static func page(_ script: String = "", body: String = "") -> Answer {
            Answer(body: "<!doctype html><title>page</title><body>\(body)<script>\(script)</script>")
        }
    }

    typealias Handler = @Sendable (Request) async -> Answer

    let port: Int
    let isEncrypted: Bool
    private let server: GLibServer
    private let log: Log

    /// Runs a site, lets `body` use it, and stops it, whatever happens.
    ///
    /// - Parameter certificate: path of a file with certificate and key; with it the site is one of `https`.
    @GLibActor
    static func serving(
        certificate: String? = nil, _ handler: @escaping Handler = { _ in .page() },
        _ body: @GLibActor (Site) async throws -> Void
    ) async throws {
        let site = try Site(certificate: certificate, handler)
        defer { site.server.stop() }
        try await body(site)
    }

    @GLibActor
    private init(certificate: String?, _ handler: @escaping Handler) throws {
        let log = Log()
        server = try GLibServer(certificate: certificate) { request in
            log.append(request)
            return await handler(request)
        }
        self.log = log
        port = server.port
        isEncrypted = certificate != nil
    }

    /// Everything that it was asked, but for the icon that browsers want of every site.
    var requests: [Request] { log.requests }
    func requests(_ path: String) -> [Request] { requests.filter { $0.path == path } }
    func forget() { log.forget() }

    var origin: String { origin("127.0.0.1") }
    func origin(_ host: String) -> String { "\(isEncrypted ? "https" : "http")://\(host):\(port)" }
    func url(_ path: String, at host: String = "127.0.0.1") -> String { origin(host) + path }

    private final class Log: Sendable {
        private let kept = Mutex<[Request]>([])
        var requests: [Request] { kept.withLock { $0 } }
        func append(_ request: Request) {
            if request.path != "/favicon.ico" { kept.withLock { $0.append(request) } }
        }
        func forget() { kept.withLock { $0 = [] } }
    }
}
