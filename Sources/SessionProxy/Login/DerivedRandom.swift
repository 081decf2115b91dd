import Crypto
import Primitives
import Synchronization

/// Bytes that nobody can foresee without a key, and that whoever has it can have again: HMAC over a seed and a number
/// (the counter mode of NIST SP 800-108).
final class DerivedRandom: RandomSource {
    private let code: HMAC
    private let seed: [UInt8]
    private let count = Mutex<UInt64>(0)

    init(_ code: HMAC, seed: [UInt8]) {
        self.code = code
        self.seed = seed
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let block = code.authenticate((seed + number.bigEndianBytes).span)
            let part = rest.prefix(block.count)
            UnsafeMutableRawBufferPointer(rebasing: part).copyBytes(from: block.prefix(part.count))
            rest = rest.dropFirst(part.count)
        }
    }
}

extension UInt64 {
    var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) } }

    init(bigEndianBytes bytes: some Collection<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
