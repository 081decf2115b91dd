import Foundation
import Networking

/// A plain blocking socket, to see exactly which bytes a server sends and when. Gives up after a minute,
/// which is long because others have the machine to themselves for a while at times.
/// Used by one thread at a time.
final class TestSocket: @unchecked Sendable {
    private(set) var descriptor: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(to address: ListenAddress, receiveBuffer: Int32? = nil) throws {
        switch address {
        case .ip(let host, let port):
            var hints = addrinfo()
            hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &list) == 0, let entry = list?.pointee else {
                throw Failure(description: "no address")
            }
            defer { freeaddrinfo(list) }
            descriptor = socket(entry.ai_family, Self.stream, 0)
            if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
            guard connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else {
                throw Failure(description: "connect: \(errno)")
            }
        case .unix(let path):
            descriptor = socket(AF_UNIX, Self.stream, 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
            }
            guard code == 0 else { throw Failure(description: "connect: \(errno)") }
        }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// With SOCK_CLOEXEC: a process that another test starts just then must not keep the connection open.
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, 0x4000)  // MSG_NOSIGNAL
            }
            guard count > 0 else { throw Failure(description: "send: \(errno)") }
            sent += count
        }
    }

    func finishSending() { shutdown(descriptor, 1) }

    func close() {
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// What came so far and was not taken.
    private var buffered: [UInt8] = []

    /// Bytes up to and including `end`.
    func receive(until end: String) throws -> String {
        let mark = Array(end.utf8)
        var searched = 0
        while true {
            if let range = buffered[searched...].firstRange(of: mark) {
                let text = String(decoding: buffered[..<range.upperBound], as: UTF8.self)
                buffered.removeSubrange(..<range.upperBound)
                return text
            }
            searched = max(0, buffered.count - mark.count)
            guard try receiveMore() else {
                throw Failure(description: "ended before \(end.debugDescription): \(Self.text(buffered).prefix(300))")
            }
        }
    }

    func receive(count: Int) throws -> String {
        while buffered.count < count {
            guard try receiveMore() else {
                throw Failure(description: "ended after \(Self.text(buffered).prefix(300))")
            }
        }
        let text = String(decoding: buffered[..<count], as: UTF8.self)
        buffered.removeSubrange(..<count)
        return text
    }

    /// Everything up to the end of the connection, which must be an orderly one.
    func receiveAll() throws -> String {
        while try receiveMore() {}
        defer { buffered = [] }
        return Self.text(buffered)
    }

    /// A response with a `Content-Length`: its head and its content.
    func receiveResponse() throws -> TestResponse {
        let head = try receive(until: "\r\n\r\n")
        var response = TestResponse(head: head, body: "")
        if let length = response["content-length"].flatMap({ Int($0) }) { response.body = try receive(count: length) }
        return response
    }

    private func receiveMore() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else {
            throw Failure(description: "receive: \(errno) after \(Self.text(buffered).prefix(300))")
        }
        buffered += chunk[..<count]
        return count > 0
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A response as it came.
struct TestResponse {
    var head: String
    var body: String

    var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }

    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts[0].lowercased() == name { return parts[1].trimmingCharacters(in: .whitespaces) }
        }
        return nil
    }
}

/// Runs what blocks on a thread of its own, so that it does not hold one that handlers need.
@discardableResult
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
