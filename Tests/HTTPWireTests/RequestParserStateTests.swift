import HTTPMessages
import HTTPWire
import Testing

@Suite("How the request parser goes from one request to the next")
struct RequestParserStateTests {
    private func feed(_ parser: inout RequestParser, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { parser.append($0) }
    }

    private func isEnd(_ event: RequestParser.Event?) -> Bool {
        if case .end = event { true } else { false }
    }

    private func isNothing(_ event: RequestParser.Event?) -> Bool {
        if case nil = event { true } else { false }
    }

    private func isHead(_ event: RequestParser.Event?, path: String) -> Bool {
        if case .head(let head) = event { head.request.path == path } else { false }
    }

    /// What a client sent ahead is not looked at before it is asked for, not even to find that it is rubbish.
    @Test
    func leavesAPipelinedRequestWhereItIs() {
        var parser = RequestParser()
        feed(&parser, request("GET /1 HTTP/1.1") + request("GET /2 HTTP/1.1") + bytes("\0"))
        #expect(isHead(parser.next(), path: "/1"))
        #expect(isEnd(parser.next()))
        #expect(!parser.isIdle)
        #expect(isHead(parser.next(), path: "/2"))
        #expect(isEnd(parser.next()))
        guard case .failure(.badMethod) = parser.next() else {
            Issue.record("the rubbish was not refused")
            return
        }
    }

    /// RFC 9112 section 2.2: old clients end their content with an empty line more. It begins no request.
    @Test(arguments: ["", "\r\n"])
    func isIdleAfterAnEmptyLineOnly(rest: String) {
        var parser = RequestParser()
        feed(&parser, request("GET /1 HTTP/1.1") + bytes(rest))
        #expect(isHead(parser.next(), path: "/1"))
        #expect(isEnd(parser.next()))
        #expect(isNothing(parser.next()))
        #expect(parser.isIdle)
        feed(&parser, bytes("G"))
        #expect(!parser.isIdle)
        #expect(isNothing(parser.next()))
        #expect(!parser.isIdle)
        feed(&parser, request("ET /2 HTTP/1.1"))
        #expect(isHead(parser.next(), path: "/2"))
        #expect(isEnd(parser.next()))
        #expect(parser.isIdle)
    }

    @Test
    func isNotIdleWithHalfAnEmptyLine() {
        var parser = RequestParser()
        feed(&parser, bytes("\r"))
        #expect(isNothing(parser.next()))
        #expect(!parser.isIdle)
    }

    @Test
    func isSilentAfterAFailure() {
        var parser = RequestParser()
        feed(&parser, bytes("GET / HTTP/1.1\n"))
        guard case .failure(.bareLineFeed) = parser.next() else {
            Issue.record("a bare line feed was let through")
            return
        }
        #expect(parser.isStopped)
        feed(&parser, request())
        #expect(isNothing(parser.next()))
        parser.finish()
        #expect(isNothing(parser.next()))
    }

    /// RFC 9112 section 9.6.
    @Test
    func isSilentAfterARequestThatEndsTheConnection() {
        var parser = RequestParser()
        feed(&parser, request("GET /1 HTTP/1.1", "Connection: close") + request("GET /2 HTTP/1.1"))
        #expect(isHead(parser.next(), path: "/1"))
        #expect(isEnd(parser.next()))
        #expect(parser.isStopped)
        feed(&parser, request("GET /3 HTTP/1.1"))
        #expect(isNothing(parser.next()))
    }

    @Test
    func isIdleOnlyBetweenRequests() {
        var parser = RequestParser()
        #expect(parser.isIdle)
        feed(&parser, bytes("G"))
        #expect(isNothing(parser.next()))
        #expect(!parser.isIdle)
        feed(&parser, bytes("ET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(isHead(parser.next(), path: "/"))
        #expect(!parser.isIdle)
        #expect(isEnd(parser.next()))
        #expect(parser.isIdle)
    }

    @Test
    func endsQuietlyBetweenRequests() {
        for rest in ["", "\r\n"] {
            let trace = RequestTrace(request() + bytes(rest), thenEnds: true)
            #expect(trace.failure == nil)
            #expect(trace.completeCount == 1)
        }
    }

    /// The buffer does not grow with the number of requests on a connection, nor with the pieces they come in.
    @Test(arguments: Chunking.all)
    func servesAThousandRequestsOnOneConnection(_ chunking: Chunking) {
        let one = request("POST /x HTTP/1.1", "Content-Length: 5", content: "hello")
        let trace = RequestTrace(Array(repeatElement(one, count: 1000).joined()), chunking)
        #expect(trace.completeCount == 1000)
        #expect(trace.bodies.allSatisfy { $0 == Array("hello".utf8) })
        #expect(trace.failure == nil)
    }
}
