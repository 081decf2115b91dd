import Primitives

/// The Base64 of a PEM block (RFC 4648 section 4), put together from its lines in memory that is wiped.
final class PEMBody {
    private let text: UnsafeMutableRawBufferPointer
    private var count = 0

    /// `capacity`: what cannot be exceeded, the length of the whole text.
    init(capacity: Int) {
        text = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        wipe(text)
        text.deallocate()
    }

    func append(_ line: PEMLines.Line) {
        UnsafeMutableRawBufferPointer(rebasing: text[count...]).copyBytes(from: line.bytes)
        count += line.bytes.count
    }

    /// What the lines say, decoded straight into memory that is wiped too.
    func finish() throws(CryptoError) -> Secret {
        guard count > 0 else { throw .malformedPEM("the block is empty") }
        let text = text[..<count]
        do throws(Base64Error) {
            return try Base64.decodeSecret(UnsafeRawBufferPointer(rebasing: text))
        } catch {
            switch error {
            case .foreignByte(let offset) where text[offset] != UInt8(ascii: "="):
                throw .malformedPEM("a character that is not Base64")
            case .foreignByte(let offset):
                let isLast = text[offset...].allSatisfy { $0 == UInt8(ascii: "=") }
                throw .malformedPEM(isLast ? "too much padding" : "Base64 goes on after its padding")
            case .impossibleLength: throw .malformedPEM("the Base64 is cut off, or more than Base64 stands among it")
            case .strayBits: throw .malformedPEM("stray bits before the padding")
            }
        }
    }
}
