import HTTPMessages
import HTTPWire
import Testing

@Suite("Limits: what fits is read, one byte more is refused")
struct LimitTests {
    private var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = 32
        limits.headerBytes = 64
        limits.headerCount = 3
        limits.bodyBytes = 16
        limits.trailerBytes = 24
        limits.trailerCount = 2
        limits.chunkExtensionBytes = 12
        return limits
    }

    private func check(_ bytes: [UInt8], _ error: WireError?, count: Int = 1) {
        for chunking in Chunking.all {
            let trace = RequestTrace(bytes, chunking, limits: limits)
            #expect(trace.failure == error, "\(chunking)")
            #expect(trace.completeCount == (error == nil ? count : 0), "\(chunking)")
        }
    }

    private func line(_ count: Int) -> String {
        let end = " HTTP/1.1"
        return "GET /" + String(repeating: "x", count: count - 2 - 5 - end.utf8.count) + end
    }

    @Test
    func requestLine() {
        check(request(line(32)), nil)
        check(request(line(33)), .requestLineTooLong)
    }

    @Test
    func aRequestLineThatNeverEndsIsNotWaitedFor() {
        check(bytes("GET /" + String(repeating: "x", count: 27)), .requestLineTooLong)
        check(bytes(String(repeating: "X", count: 32)), .requestLineTooLong)
        #expect(RequestTrace(bytes("GET /" + String(repeating: "x", count: 26)), limits: limits).items.isEmpty)
        #expect(WireError.requestLineTooLong.status == .uriTooLong)
    }

    /// The section counts, with its empty line, whatever it is made of.
    private func section(_ count: Int) -> [UInt8] {
        let host = "Host: a\r\n"
        let field = "X: " + String(repeating: "y", count: count - host.utf8.count - 7) + "\r\n"
        return bytes("GET / HTTP/1.1\r\n" + host + field + "\r\n")
    }

    @Test
    func headerBytes() {
        check(section(64), nil)
        check(section(65), .headerTooLarge)
        check(Array(section(80).dropLast(8)), .headerTooLarge)
        #expect(WireError.headerTooLarge.status == .requestHeaderFieldsTooLarge)
    }

    @Test
    func headerBytesOfLongNames() {
        check(bytes("GET / HTTP/1.1\r\n" + String(repeating: "X", count: 64)), .headerTooLarge)
    }

    @Test
    func headerCount() {
        check(request(host: "a", "B: 1", "C: 2"), nil)
        check(request(host: "a", "B: 1", "C: 2", "D: 3"), .tooManyHeaderFields)
        #expect(WireError.tooManyHeaderFields.status == .requestHeaderFieldsTooLarge)
    }

    @Test
    func bodyWithALength() {
        let content = String(repeating: "x", count: 16)
        check(request("POST / HTTP/1.1", host: "a", "Content-Length: 16", content: content), nil)
        let tooLong = RequestTrace(request("POST / HTTP/1.1", host: "a", "Content-Length: 17"), limits: limits)
        #expect(tooLong.items == [.failure(.bodyTooLarge)])
        #expect(WireError.bodyTooLarge.status == .contentTooLarge)
    }

    private func chunked(_ content: String) -> [UInt8] {
        request("POST / HTTP/1.1", host: "a", "Transfer-Encoding: chunked", content: content)
    }

    @Test
    func bodyInChunks() {
        check(chunked("8\r\n12345678\r\n8\r\n12345678\r\n0\r\n\r\n"), nil)
        check(chunked("10\r\n1234567812345678\r\n1\r\n"), .bodyTooLarge)
        check(chunked("11\r\n"), .bodyTooLarge)
    }

    /// All chunks together: a limit on each would let many small ones through.
    @Test
    func chunkExtensions() {
        check(chunked("1;a=b\r\nx\r\n1;a=b\r\nx\r\n0\r\n\r\n"), nil)
        check(chunked("1;a=bcd\r\nx\r\n1;a=bcdef\r\n"), .chunkExtensionsTooLarge)
        check(chunked("1;" + String(repeating: "a", count: 20)), .chunkExtensionsTooLarge)
        #expect(WireError.chunkExtensionsTooLarge.status == .badRequest)
    }

    @Test
    func trailers() {
        check(chunked("0\r\nA: 1\r\nB: 2\r\n\r\n"), nil)
        check(chunked("0\r\nA: 1\r\nB: 2\r\nC: 3\r\n"), .trailersTooLarge)
        check(chunked("0\r\nA: 1\r\nB: 123456789012\r\n\r\n"), .trailersTooLarge)
        check(chunked("0\r\nA: 1\r\nB: 12345678901\r\n\r\n"), nil)
        check(chunked("0\r\nA: " + String(repeating: "x", count: 40)), .trailersTooLarge)
        #expect(WireError.trailersTooLarge.status == .requestHeaderFieldsTooLarge)
    }

    /// The limits are those of each message, not of the connection.
    @Test
    func countAnewForEachRequest() {
        let one = chunked("8;a=bc\r\n12345678\r\n8;a=b\r\n12345678\r\n0\r\nA: 1\r\nB: 2\r\n\r\n")
        check(Array(repeatElement(one + section(64), count: 5).joined()), nil, count: 10)
    }

    /// Nobody who asks for no limit at all is punished with an overflow.
    @Test
    func mayBeTheWholeRange() {
        var limits = HTTPLimits()
        limits.requestLineBytes = .max
        limits.headerBytes = .max
        limits.bodyBytes = .max
        limits.trailerBytes = .max
        let trace = RequestTrace(request() + chunked("1\r\nx\r\n0\r\nA: b\r\n\r\n"), limits: limits)
        #expect(trace.completeCount == 2)
        let huge = RequestTrace(chunked("1\r\nx\r\n7FFFFFFFFFFFFFFF\r\n"), limits: limits)
        #expect(huge.failure == .bodyTooLarge)
    }
}
