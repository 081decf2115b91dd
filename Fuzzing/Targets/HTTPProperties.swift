import HTTPMessages
import HTTPWire

/// However the bytes of a connection are cut into pieces, the same messages come out.
///
/// The first byte of the input chooses what is parsed, the next three how it is cut; the rest comes over the connection.
enum HTTPProperties {
    private static let tight: HTTPLimits = {
        var limits = HTTPLimits()
        limits.requestLineBytes = 64
        limits.headerBytes = 256
        limits.headerCount = 8
        limits.bodyBytes = 128
        limits.trailerBytes = 64
        limits.trailerCount = 2
        limits.chunkExtensionBytes = 16
        return limits
    }()

    static func check(_ input: Span<UInt8>) {
        guard input.count > 4 else { return }
        let choice = Choice(input[0])
        let bytes = input.extracting(4..<input.count).array()
        let whole = choice.feed(bytes, in: [bytes.count])
        require(choice.feed(bytes, in: cuts(bytes.count, input[1], input[2], input[3])) == whole, "cuts change nothing")
        require(
            choice.feed(bytes, in: Array(repeating: 1, count: bytes.count)) == whole,
            "byte by byte the same comes out as in one piece")
        for case .request(let head) in whole { RequestRoundTrip.check(head) }
    }

    /// Lengths of pieces that add up to `total`, chosen by three bytes of the input.
    private static func cuts(_ total: Int, _ first: UInt8, _ second: UInt8, _ third: UInt8) -> [Int] {
        var lengths: [Int] = []
        var rest = total
        var turn = 0
        while rest > 0 {
            let length = Swift.min(rest, 1 + Int([first, second, third][turn % 3]))
            lengths.append(length)
            rest -= length
            turn += 1
        }
        return lengths
    }

    /// What the first byte of the input says.
    private struct Choice {
        let isResponse: Bool
        let endsInput: Bool
        let method: HTTPRequest.Method
        let limits: HTTPLimits

        init(_ byte: UInt8) {
            isResponse = byte & 1 != 0
            endsInput = byte & 2 != 0
            method = byte & 4 != 0 ? .head : .get
            limits = byte & 8 != 0 ? tight : .standard
        }

        func feed(_ bytes: [UInt8], in lengths: [Int]) -> [WireEvent] {
            isResponse
                ? ResponseFeed(limits, awaiting: method).events(of: bytes, in: lengths, endsInput)
                : RequestFeed(limits).events(of: bytes, in: lengths, endsInput)
        }
    }
}
