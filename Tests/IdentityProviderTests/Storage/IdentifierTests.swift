import IdentityProvider
import Primitives
import Synchronization
import Testing

/// Identifiers that people copy from a list into a command line.
@Suite struct IdentifierTests {
    /// Gives bytes that are all alike, another one each time.
    private final class Source: RandomSource {
        private let rest: Mutex<[UInt8]>

        init(_ bytes: [UInt8]) { rest = Mutex(bytes) }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            let byte = rest.withLock { $0.removeFirst() }
            buffer.copyBytes(from: [UInt8](repeating: byte, count: buffer.count))
        }
    }

    /// 62 in the first six bits is a dash.
    @Test(arguments: [0xF8, 0xFB] as [UInt8])
    func beginWithNoDash(_ byte: UInt8) {
        #expect(FamilyID(from: Source([byte, byte, 0x01])).description == FamilyID(from: Source([0x01])).description)
        #expect(LoginID(from: Source([byte, byte, 0x01])).text == LoginID(from: Source([0x01])).text)
    }

    @Test(arguments: [0xF7, 0xFC, 0x00] as [UInt8])
    func areTakenAsTheyComeOtherwise(_ byte: UInt8) {
        #expect(FamilyID(from: Source([byte])).description == LoginID(from: Source([byte])).text)
    }
}
