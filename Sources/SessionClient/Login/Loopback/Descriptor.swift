#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is done to descriptors on every platform.
enum Descriptor {
    /// Never waits, does not reach programs that are started, and raises no signal when the other end has gone.
    static func prepare(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return false }
        #if canImport(Darwin)
        // Fails for what is no socket, where it is not needed.
        _ = set(SOL_SOCKET, SO_NOSIGPIPE, on: descriptor)
        #endif
        return true
    }

    static func set(_ level: Int32, _ option: Int32, on descriptor: Int32) -> Bool {
        var one: Int32 = 1
        return setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Sends as much as goes at once; what is answered here is less than every buffer.
    static func send(_ bytes: [UInt8], to descriptor: Int32) {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { rest in
                #if canImport(Glibc)
                Glibc.send(descriptor, rest.baseAddress! + sent, rest.count - sent, flags)
                #elseif canImport(Musl)
                Musl.send(descriptor, rest.baseAddress! + sent, rest.count - sent, flags)
                #else
                Darwin.send(descriptor, rest.baseAddress! + sent, rest.count - sent, flags)
                #endif
            }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                return
            }
        }
    }
}
