import HTTPMessages
import HTTPWire
import Primitives
import Testing

@Suite("What is written is what is read")
struct RoundTripTests {
    /// Draws messages from a seed.
    private struct Source {
        let random: SeededRandom

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        func number(below limit: Int) -> Int {
            Int(random.bytes(4).reduce(0) { $0 << 8 | UInt32($1) }) % limit
        }

        func text(_ alphabet: String, _ lengths: Range<Int>) -> String {
            let characters = Array(alphabet)
            let count = lengths.lowerBound + number(below: lengths.count)
            return String((0..<count).map { _ in characters[number(below: characters.count)] })
        }

        func fields() -> HTTPFields {
            var fields = HTTPFields()
            for _ in 0..<number(below: 12) {
                let name = "X-" + text("abcXYZ019-_.!#$%&'*+^`|~", 1..<20)
                // No white space around it: it is not part of a value.
                let value = "v" + text("abc \t\u{E4}\u{20AC}\u{1F512}:;,=\"\\'{}[]()<>/?@", 0..<60) + "v"
                HTTPField.Name(name).map { fields.append(name: $0, value: value) }
            }
            return fields
        }

        func pieces() -> [[UInt8]] {
            (0..<number(below: 5)).map { _ in random.bytes(number(below: 300)) }
        }

        func chunking() -> Chunking { .random(seed: UInt64(number(below: 1 << 30))) }
    }

    private func joined(_ pieces: [[UInt8]]) -> [[UInt8]] {
        let all = Array(pieces.joined())
        return all.isEmpty ? [] : [all]
    }

    @Test(arguments: 1...200)
    func requests(seed: UInt64) throws {
        let source = Source(seed: seed)
        let serialiser = RequestSerialiser()
        var output: [UInt8] = []
        var expected: [(head: HTTPRequest, pieces: [[UInt8]], trailers: HTTPFields)] = []
        for _ in 0...source.number(below: 4) {
            let method = try #require(HTTPRequest.Method(source.text("GETPOSfo!-9", 1..<12)))
            let head = HTTPRequest(
                method: method, scheme: nil, authority: source.text("abc.-_0", 1..<20) + ":8080",
                path: "/" + source.text("abc/?&=%20.~\"<>|", 0..<80), headerFields: source.fields())
            var pieces = source.pieces()
            var trailers = HTTPFields()
            if source.number(below: 2) == 0 {
                trailers = source.fields()
                try serialiser.appendHead(head, framing: .chunked, to: &output)
                for piece in pieces { serialiser.appendChunk(piece.span, to: &output) }
                try serialiser.appendLastChunk(trailers: trailers, to: &output)
            } else {
                if source.number(below: 3) == 0 { pieces = [] }
                let content = Array(pieces.joined())
                try serialiser.appendHead(head, framing: content.isEmpty ? .none : .length(content.count), to: &output)
                output += content
            }
            expected.append((head, pieces, trailers))
        }
        let trace = RequestTrace(output, source.chunking())
        #expect(trace.failure == nil)
        #expect(trace.completeCount == expected.count)
        #expect(trace.bodies == expected.flatMap { joined($0.pieces) })
        #expect(trace.trailers == expected.map(\.trailers))
        for (read, written) in zip(trace.heads, expected) {
            var request = read.request
            request.headerFields[.contentLength] = nil
            request.headerFields[.transferEncoding] = nil
            #expect(request == written.head)
            #expect(read.keepAlive)
        }
    }

    @Test(arguments: 1...200)
    func responses(seed: UInt64) throws {
        let source = Source(seed: seed &+ 10_000)
        let serialiser = ResponseSerialiser()
        var output: [UInt8] = []
        var expected: [(head: HTTPResponse, pieces: [[UInt8]], trailers: HTTPFields)] = []
        let count = 1 + source.number(below: 4)
        let noDate: [UInt8] = []
        for _ in 0..<count {
            var code = 200 + source.number(below: 400)
            if code == 204 || code == 304 { code = 200 }
            let phrase = source.text("abc DEF'\u{E4}", 0..<20)
            let head = HTTPResponse(
                status: .init(code: code, reasonPhrase: "x" + phrase), headerFields: source.fields())
            let pieces = source.pieces()
            var trailers = HTTPFields()
            let chunked = source.number(below: 2) == 0
            let content = Array(pieces.joined())
            let framing: BodyFraming = chunked ? .chunked : .length(content.count)
            try serialiser.appendHead(head, framing: framing, connection: .persistent, date: noDate.span, to: &output)
            if chunked {
                trailers = source.fields()
                for piece in pieces { serialiser.appendChunk(piece.span, to: &output) }
                try serialiser.appendLastChunk(trailers: trailers, to: &output)
            } else {
                output += content
            }
            expected.append((head, pieces, trailers))
        }
        let methods = [HTTPRequest.Method](repeating: .get, count: count)
        let trace = ResponseTrace(output, to: methods, source.chunking())
        #expect(trace.failure == nil)
        #expect(trace.completeCount == count)
        #expect(trace.bodies == expected.flatMap { joined($0.pieces) })
        #expect(trace.trailers == expected.map(\.trailers))
        for (read, written) in zip(trace.heads, expected) {
            var response = read.response
            response.headerFields[.contentLength] = nil
            response.headerFields[.transferEncoding] = nil
            #expect(response == written.head)
        }
    }
}
