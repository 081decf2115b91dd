import HTTPMessages
import HTTPWire
import Testing

@Suite("What the client reads")
struct ResponseParserTests {
    private func response(_ lines: String..., content: String = "") -> [UInt8] {
        bytes(lines.map { $0 + "\r\n" }.joined() + "\r\n" + content)
    }

    /// The same in every chunking, or the test says which is different.
    private func trace(
        _ bytes: [UInt8], to methods: [HTTPRequest.Method] = [.get], limits: HTTPLimits = .standard,
        thenEnds: Bool = false
    ) -> ResponseTrace {
        let whole = ResponseTrace(bytes, to: methods, limits: limits, thenEnds: thenEnds)
        for chunking in Chunking.all {
            let other = ResponseTrace(bytes, to: methods, chunking, limits: limits, thenEnds: thenEnds)
            #expect(other == whole, "\(chunking)")
        }
        return whole
    }

    @Test
    func hasStatusFieldsAndContent() throws {
        let trace = trace(response("HTTP/1.1 200 Fine", "A: b", "Content-Length: 5", content: "hello"))
        let head = try #require(trace.heads.first)
        #expect(head.response.status.code == 200)
        #expect(head.response.status.reasonPhrase == "Fine")
        #expect(head.response.headerFields.map(\.value) == ["b", "5"])
        #expect(head.keepAlive)
        #expect(trace.bodies == [Array("hello".utf8)])
        #expect(trace.completeCount == 1)
        #expect(trace.failure == nil)
    }

    /// The fields of one response do not count towards the limits of the next, be that interim or not.
    @Test func readsManyResponsesOnOneConnection() {
        var limits = HTTPLimits()
        limits.headerBytes = 64
        limits.headerCount = 2
        let hint = response("HTTP/1.1 103 Early Hints", "A: b")
        let one = hint + response("HTTP/1.1 200 OK", "A: b", "Content-Length: 0")
        let all = Array(repeatElement(one, count: 20).joined())
        let trace = trace(all, to: Array(repeating: .get, count: 20), limits: limits)
        #expect(trace.completeCount == 20)
        #expect(trace.failure == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 ", "HTTP/1.0 999 \u{E4}\t~", "HTTP/1.1 404 Not Found"])
    func acceptsAStatusLine(line: String) {
        #expect(trace(response(line, "Content-Length: 0")).completeCount == 1)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200", .badStatusLine), ("HTTP/1.1  200 OK", .badStatusLine), ("HTTP/1.1 20 OK", .badStatusLine),
            ("HTTP/1.1 2000 OK", .badStatusLine), ("HTTP/1.1 099 OK", .badStatusLine),
            ("HTTP/1.1 2x0 OK", .badStatusLine),
            ("HTTP/1.2 200 OK", .unsupportedVersion), ("HTTP/2.0 200 OK", .badStatusLine),
            ("http/1.1 200 OK", .badStatusLine),
            (" HTTP/1.1 200 OK", .badStatusLine), ("ICY 200 OK", .badStatusLine), ("HTTP/1.1 200 O\0K", .badStatusLine),
            ("HTTP/1.1 200 O\rK", .bareCarriageReturn), ("HTTP/1.1 200 OK\n", .bareLineFeed),
            ("\r\nHTTP/1.1 200 OK", .badStatusLine), ("HTTP/1.1 101 Switching Protocols", .unexpectedUpgrade),
        ] as [(String, WireError)])
    func refusesAStatusLine(line: String, error: WireError) {
        #expect(trace(response(line, "Content-Length: 0")).items == [.failure(error)])
    }

    @Test(
        arguments: [
            (["Content-Length: 5", "Transfer-Encoding: chunked"], .contentLengthAndTransferEncoding),
            (["Content-Length: 5", "Content-Length: 5"], .repeatedContentLength),
            (["Content-Length: 5, 5"], .badContentLength), (["Content-Length: -1"], .badContentLength),
            (["Transfer-Encoding: gzip"], .chunkedNotLast),
            (["Transfer-Encoding: gzip, chunked"], .unknownTransferCoding),
            (["Transfer-Encoding: chunked, chunked"], .chunkedNotLast), (["A : b"], .spaceBeforeColon),
            (["A: b", " c"], .foldedLine), (["A: \0"], .controlByte), (["A: b\nSet-Cookie: x"], .bareLineFeed),
            (["A: b\rSet-Cookie: x"], .bareCarriageReturn), ([": b"], .badFieldName),
            (["Content-Length: 1048577"], .bodyTooLarge),
        ] as [([String], WireError)])
    func refusesFields(lines: [String], error: WireError) {
        let bytes = bytes((["HTTP/1.1 200 OK"] + lines).map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(trace(bytes).items == [.failure(error)])
    }

    /// RFC 9112 section 6.3: whatever the fields say.
    @Test(arguments: [(HTTPRequest.Method.head, 200), (.head, 404), (.get, 204), (.get, 304), (.post, 204)])
    func hasNoContentWhereThereCanBeNone(method: HTTPRequest.Method, code: Int) {
        for field in ["Content-Length: 5", "Transfer-Encoding: chunked", "X: y"] {
            let first = response("HTTP/1.1 \(code) x", field)
            let second = response("HTTP/1.1 200 OK", "Content-Length: 2", content: "ok")
            let trace = trace(first + second, to: [method, .get])
            #expect(trace.completeCount == 2)
            #expect(trace.heads.first?.bodyFraming == BodyFraming.none)
            #expect(trace.bodies == [Array("ok".utf8)])
        }
    }

    @Test
    func passesInterimResponsesOn() {
        let trace = trace(
            response("HTTP/1.1 100 Continue") + response("HTTP/1.1 103 Early Hints", "Link: x")
                + response("HTTP/1.1 200 OK", "Content-Length: 0"))
        #expect(trace.items.count == 4)
        #expect(trace.heads.count == 1)
        #expect(trace.completeCount == 1)
    }

    @Test
    func refusesAnEndlessRowOfInterimResponses() {
        let row = Array(repeatElement(response("HTTP/1.1 100 Continue"), count: 17).joined())
        #expect(trace(row).failure == .tooManyInterimResponses)
        let twice =
            Array(repeatElement(response("HTTP/1.1 100 Continue"), count: 16).joined())
            + response("HTTP/1.1 204 x")
        #expect(trace(twice + twice, to: [.get, .get]).completeCount == 2)
    }

    @Test
    func readsChunksAndTrailers() {
        let content = "2\r\nab\r\n3;x=y\r\ncde\r\n0\r\nX: 1\r\n\r\n"
        let trace = trace(response("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", content: content))
        #expect(trace.bodies == [Array("abcde".utf8)])
        #expect(trace.trailers.first?.map(\.value) == ["1"])
    }

    @Test
    func readsUntilTheConnectionEnds() {
        let bytes = response("HTTP/1.0 200 OK", "Connection: keep-alive", content: "hello")
        let ended = trace(bytes, thenEnds: true)
        #expect(ended.bodies == [Array("hello".utf8)])
        #expect(ended.completeCount == 1)
        #expect(ended.heads.first?.keepAlive == false)
        #expect(trace(bytes).completeCount == 0)
    }

    @Test
    func readsNoMoreUntilTheConnectionEndsThanTheLimit() {
        var limits = HTTPLimits()
        limits.bodyBytes = 5
        let head = response("HTTP/1.1 200 OK")
        #expect(trace(head + bytes("hello"), limits: limits, thenEnds: true).completeCount == 1)
        #expect(trace(head + bytes("hello!"), limits: limits).failure == .bodyTooLarge)
    }

    @Test
    func readsNoMoreOfAHeadThanTheLimits() {
        var limits = HTTPLimits()
        limits.requestLineBytes = 17
        limits.headerBytes = 32
        limits.headerCount = 2
        let fits = response("HTTP/1.1 200 OK", "A: b", "Content-Length: 00000")
        #expect(fits.count == 17 + 31)
        #expect(trace(fits, limits: limits).completeCount == 1)
        let tests: [([UInt8], WireError)] = [
            (bytes("HTTP/1.1 200 OK, "), .badStatusLine), (bytes("HTTP/1.1 200 OK, fine\r\n"), .badStatusLine),
            (response("HTTP/1.1 200 OK", "A:", "B:", "C:"), .tooManyHeaderFields),
            (response("HTTP/1.1 200 OK", "A: b", "Content-Length: 0000000"), .headerTooLarge),
            (bytes("HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 29)), .headerTooLarge),
        ]
        for (bytes, error) in tests { #expect(trace(bytes, limits: limits).items == [.failure(error)]) }
    }

    /// RFC 9112 section 8: what has a length and is shorter is not a response.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1", "",
        "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func refusesWhatIsCutOff(text: String) {
        #expect(trace(bytes(text), thenEnds: true).failure == .truncated)
        #expect(trace(bytes(text)).failure == nil)
    }

    @Test
    func refusesBytesThatAnswerNothing() {
        let response = response("HTTP/1.1 200 OK", "Content-Length: 0")
        #expect(trace(response, to: []).items == [.failure(.unexpectedBytes)])
        let twice = trace(response + response)
        #expect(twice.completeCount == 1)
        #expect(twice.failure == .unexpectedBytes)
    }

    @Test(arguments: [
        ("HTTP/1.1", "X: y", true), ("HTTP/1.1", "Connection: close", false), ("HTTP/1.0", "X: y", false),
        ("HTTP/1.0", "Connection: keep-alive", true),
    ])
    func saysWhetherTheConnectionGoesOn(version: String, field: String, persists: Bool) {
        let trace = trace(response("\(version) 200 OK", field, "Content-Length: 0"))
        #expect(trace.heads.first?.keepAlive == persists)
    }

    @Test
    func isIdleWhenEverythingIsAnswered() {
        var parser = ResponseParser()
        #expect(parser.isIdle)
        parser.expectResponse(to: .get)
        #expect(!parser.isIdle)
        response("HTTP/1.1 200 OK", "Content-Length: 0").withUnsafeBytes { parser.append($0) }
        while parser.next() != nil {}
        #expect(parser.isIdle)
        bytes("H").withUnsafeBytes { parser.append($0) }
        #expect(!parser.isIdle)
    }
}
