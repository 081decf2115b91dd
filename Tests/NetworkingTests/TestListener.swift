import Foundation

/// A listening socket whose answers a test writes byte by byte: it takes connections in only when told to.
final class TestListener: Sendable {
    let descriptor: Int32
    let port: Int

    enum Ending {
        /// An orderly end: the answer is all there was.
        case finish
        /// What is sent arrives, and then an error.
        case reset
        /// What is sent arrives, and its end; what the client still sends is answered by an error.
        case finishAndReset
    }

    /// - Parameter listens: whether it takes connections; if not, its port is taken all the same, and refuses them.
    init(host: String = "127.0.0.1", port: Int = 0, listens: Bool = true) throws {
        descriptor = socket(AF_INET, 1, 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let code = bind(descriptor, $0, length) != 0 ? -1 : listens ? listen(descriptor, 16) : 0
                getsockname(descriptor, $0, &length)
                return code
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        guard code == 0 else { throw TestSocket.Failure(description: "listen: \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    /// Takes one connection in, reads a request's head from it, and answers.
    func answerOnce(_ answer: String, _ ending: Ending) throws {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw TestSocket.Failure(description: "accept: \(errno)") }
        defer { close(connection) }
        var received: [UInt8] = []
        while received.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { throw TestSocket.Failure(description: "no request: \(errno)") }
            received += chunk[..<count]
        }
        _ = Array(answer.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0x4000) }  // MSG_NOSIGNAL
        if ending == .finishAndReset { shutdown(connection, 1) }
        guard ending != .finish else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
