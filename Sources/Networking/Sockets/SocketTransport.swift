import CLinux
import Glibc

/// Bytes in and out of one connected socket, through TLS where there is TLS. Never blocks.
struct SocketTransport {
    let descriptor: Int32
    let tls: TLSSession?

    enum Outcome {
        case done(Int)
        case wouldBlock
        /// The other end has said that it sends no more: all that it sent has been read. When writing: it has said so
        /// before, and is gone now.
        case closed
        /// The connection broke off: what was read may be less than what was sent.
        case failed
    }

    /// Reads what there is. Fewer bytes than there was room for mean, without TLS, that there are no more for now.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if let tls { return Self.outcome(of: tls.read(into: buffer)) }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .done(count) }
            if count == 0 { return .closed }
            if errno == EAGAIN { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let tls { return Self.outcome(of: tls.write(bytes)) }
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .done(count) }
            if errno == EAGAIN { return .wouldBlock }
            // A reset after the other end's FIN is EPIPE; without one it is ECONNRESET.
            if errno == EPIPE { return .closed }
            if errno != EINTR { return .failed }
        }
    }

    /// Sends no more, and says so; reading goes on.
    func finishWriting() {
        tls?.shutdown()
        Glibc.shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Throws away what the other end still sends, below TLS: `false` once there will be no more.
    func discard(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        SocketTransport(descriptor: descriptor, tls: nil).read(into: buffer)
    }

    func close() {
        tls?.shutdown()
        Glibc.close(descriptor)
    }

    /// Cuts the connection off, so that the other end sees an error and not an end.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
    }

    private static func outcome(of outcome: TLSSession.Outcome) -> Outcome {
        switch outcome {
        case .done(let count): .done(count)
        case .wouldBlock: .wouldBlock
        case .closed: .closed
        case .failed: .failed
        }
    }
}
