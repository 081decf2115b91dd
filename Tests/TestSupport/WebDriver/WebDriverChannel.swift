#if canImport(Glibc)
import Foundation
import Glibc
import Primitives

/// Carries the commands of WebDriver (W3C, section 6) to a `chromedriver`.
///
/// Over a socket of its own: Foundation's `URLSession` on Linux cannot read the header that `chromedriver` writes.
struct WebDriverChannel: Sendable {
    private let port: Int

    /// Longer than a busy machine takes for anything: a bound against hanging, not a measure. In seconds.
    private static let bound = 300
    /// A picture of a page comes in Base64.
    private static let limits = JSONLimits(bytes: 64 << 20, stringBytes: 64 << 20)

    init(port: Int) {
        self.port = port
    }

    /// Sends a command and returns its `value`.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let content = method == "POST" ? (body ?? [:]).serialised() : []
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json; charset=utf-8\r\nContent-Length: \(content.count)\r\n\r\n"
        let answer = try await exchange(Array(head.utf8) + content)
        let json = try JSON(parsing: answer.span, limits: Self.limits)
        guard let value = json["value"] else { return .null }
        if let code = value["error"]?.string {
            throw WebDriverError(code: code, message: value["message"]?.string ?? "")
        }
        return value
    }

    /// On a thread of its own: a command takes as long as the browser does, and the tests' own tasks need their threads.
    private func exchange(_ request: [UInt8]) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Self.exchange(request, port: port) }) }.start()
        }
    }

    private static func exchange(_ request: [UInt8], port: Int) throws -> [UInt8] {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { throw failure("socket") }
        defer { close(connection) }
        var patience = timeval(tv_sec: bound, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw failure("connect") }
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw failure("send") }
            sent += count
        }
        return try content(from: connection)
    }

    /// Reads up to the length that the header gives: the driver keeps the connection open all the same.
    private static func content(from connection: Int32) throws -> [UInt8] {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var end: Int?
        while end.map({ received.count < $0 }) ?? true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { throw failure("receive") }
            received += chunk[..<count]
            if end == nil, let blank = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<blank.lowerBound], as: UTF8.self).lowercased()
                let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                guard let length = field.flatMap({ Int($0.dropFirst(15).filter(\.isNumber)) }) else {
                    throw WebDriverError(code: "no length", message: head)
                }
                end = blank.upperBound + length
                received.reserveCapacity(blank.upperBound + length)
            }
        }
        let start = received.firstRange(of: Array("\r\n\r\n".utf8)).map(\.upperBound) ?? 0
        return Array(received[start...])
    }

    private static func failure(_ what: String) -> WebDriverError {
        WebDriverError(code: "no connection", message: "\(what): \(String(cString: strerror(errno)))")
    }
}
#endif
