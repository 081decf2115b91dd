#if canImport(CryptoKit)
import CryptoKit

extension HashFunction {
    /// Writes `byteCount` bytes to `output`.
    func digest(_ message: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        let room = UnsafeMutableRawBufferPointer(start: output, count: byteCount)
        switch self {
        case .sha256: SHA256.hash(data: message).withUnsafeBytes { room.copyMemory(from: $0) }
        case .sha384: SHA384.hash(data: message).withUnsafeBytes { room.copyMemory(from: $0) }
        case .sha512: SHA512.hash(data: message).withUnsafeBytes { room.copyMemory(from: $0) }
        }
    }
}
#endif
