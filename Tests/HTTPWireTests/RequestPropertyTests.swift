import HTTPMessages
import HTTPWire
import Primitives
import Testing

@Suite("What holds for any bytes")
struct RequestPropertyTests {
    /// Bytes that matter to the parser, so that a change of one is likely to matter.
    private static let interesting = bytes("\r\n\t :;,=\"\\#/*?%0159aAfFgGzZ\0\u{7F}\u{80}\u{FF}")

    private static func below(_ limit: Int, _ random: SeededRandom) -> Int {
        let word = random.bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
        return Int(word) % max(limit, 1)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: SeededRandom) {
        let index = below(bytes.count + 1, random)
        let byte = interesting[below(interesting.count, random)]
        switch below(6, random) {
        case 0: bytes.insert(byte, at: index)
        case 1 where index < bytes.count: bytes.remove(at: index)
        case 2 where index < bytes.count: bytes[index] = byte
        case 3:
            let other = RequestFixture.all[below(RequestFixture.all.count, random)].bytes
            bytes.insert(contentsOf: other[below(other.count, random)...], at: index)
        case 4:
            let end = index + below(bytes.count - index, random)
            bytes.insert(contentsOf: bytes[index..<end], at: index)
        default: bytes.insert(contentsOf: [0x0D, 0x0A], at: index)
        }
    }

    @Test(arguments: 1...8)
    func anyChunkingGivesTheSameAnswer(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        var limits = HTTPLimits()
        limits.bodyBytes = 4096
        for round in 0..<500 {
            var input = RequestFixture.all[Self.below(RequestFixture.all.count, random)].bytes
            for _ in 0...Self.below(4, random) { Self.mutate(&input, random) }
            let whole = RequestTrace(input, limits: limits, thenEnds: round % 2 == 0)
            for chunking in [Chunking.byteByByte, .random(seed: seed << 16 | UInt64(round))] {
                let trace = RequestTrace(input, chunking, limits: limits, thenEnds: round % 2 == 0)
                #expect(trace == whole, "\(chunking): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
        }
    }

    /// What comes out can be trusted: no event holds a byte that could be read as framing further on.
    @Test(arguments: 1...4)
    func nothingDangerousComesOut(seed: UInt64) {
        let random = SeededRandom(seed: seed &+ 100)
        for _ in 0..<500 {
            var input = RequestFixture.all[Self.below(RequestFixture.all.count, random)].bytes
            for _ in 0...Self.below(4, random) { Self.mutate(&input, random) }
            let trace = RequestTrace(input)
            for head in trace.heads { Self.checkIsHarmless(head) }
            for fields in trace.trailers { Self.checkIsHarmless(fields) }
            if let index = trace.items.firstIndex(where: { if case .failure = $0 { true } else { false } }) {
                #expect(index == trace.items.count - 1)
            }
        }
    }

    private static func checkIsHarmless(_ head: RequestHead) {
        #expect(HTTPRequest.Method(head.request.method.rawValue) != nil)
        #expect(head.request.path?.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 } == true)
        #expect(head.request.authority?.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x40 } != false)
        #expect(!head.request.headerFields.contains(.host))
        #expect(head.request.headerFields[values: .contentLength].count <= 1)
        #expect(
            !(head.request.headerFields.contains(.contentLength)
                && head.request.headerFields.contains(.transferEncoding)))
        checkIsHarmless(head.request.headerFields)
    }

    private static func checkIsHarmless(_ fields: HTTPFields) {
        for field in fields {
            #expect(HTTPField.Name(field.name.rawName) != nil)
            #expect(field.value.unicodeScalars.allSatisfy { $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) })
        }
    }
}
