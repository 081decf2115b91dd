import HTTPMessages
import HTTPWire
import Testing

@Suite("What the head of a request says")
struct RequestHeadTests {
    private func head(_ bytes: [UInt8]) throws -> RequestHead {
        let trace = RequestTrace(bytes)
        #expect(trace.failure == nil)
        return try #require(trace.heads.first)
    }

    @Test
    func hasMethodTargetFieldsAndAuthority() throws {
        let head = try head(request("POST /a%20b?c=d&e HTTP/1.1", "X-A: 1", "x-a:2", "Accept: */*"))
        #expect(head.request.method == .post)
        #expect(head.request.scheme == nil)
        #expect(head.request.authority == "example.com")
        #expect(head.request.path == "/a%20b?c=d&e")
        #expect(head.request.headerFields.map(\.name.rawName) == ["X-A", "x-a", "Accept"])
        #expect(head.request.headerFields.map(\.value) == ["1", "2", "*/*"])
        #expect(head.version == .http11)
        #expect(head.bodyFraming == .none)
    }

    struct Target: CustomStringConvertible {
        let line: String
        let scheme: String?
        let authority: String?
        let path: String
        var description: String { line }
    }

    /// RFC 9112 section 3.2: the authority of an absolute target counts, and that of `Host` does not.
    @Test(arguments: [
        Target(line: "GET /x HTTP/1.1", scheme: nil, authority: "example.com", path: "/x"),
        Target(line: "GET //x/../y HTTP/1.1", scheme: nil, authority: "example.com", path: "//x/../y"),
        Target(line: "GET http://a.b/x?y HTTP/1.1", scheme: "http", authority: "a.b", path: "/x?y"),
        Target(line: "GET HTTPS://A:1 HTTP/1.1", scheme: "https", authority: "A:1", path: "/"),
        Target(line: "GET http://[::1]:80?x HTTP/1.1", scheme: "http", authority: "[::1]:80", path: "/?x"),
        Target(line: "OPTIONS * HTTP/1.1", scheme: nil, authority: "example.com", path: "*"),
        Target(line: "OPTIONS http://a HTTP/1.1", scheme: "http", authority: "a", path: "*"),
        Target(line: "OPTIONS http://a/ HTTP/1.1", scheme: "http", authority: "a", path: "/"),
    ])
    func takesTheTargetApart(_ target: Target) throws {
        let request = try head(request(target.line)).request
        #expect(request.scheme == target.scheme)
        #expect(request.authority == target.authority)
        #expect(request.path == target.path)
    }

    @Test
    func needsNoHostInHTTP10() throws {
        let head = try head(request("GET / HTTP/1.0", host: nil))
        #expect(head.request.authority == nil)
        #expect(head.version == .http10)
    }

    /// RFC 9112 section 9.3.
    @Test(arguments: [
        ("HTTP/1.1", nil, true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "keep-alive", true),
        ("HTTP/1.1", "Close", false), ("HTTP/1.1", "keep-alive, close", false), ("HTTP/1.1", "closed, x", true),
        ("HTTP/1.1", "", true), ("HTTP/1.1", ", ,close", false), ("HTTP/1.0", nil, false),
        ("HTTP/1.0", "keep-alive", true), ("HTTP/1.0", "Keep-Alive , x", true), ("HTTP/1.0", "close", false),
        ("HTTP/1.0", "keep-alive, close", false),
    ])
    func saysWhetherTheConnectionGoesOn(version: String, connection: String?, persists: Bool) throws {
        let lines = connection.map { ["Connection: \($0)"] } ?? []
        let bytes = bytes((["GET / \(version)", "Host: a"] + lines).map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(try head(bytes).keepAlive == persists)
    }

    /// RFC 9110 section 10.1.1.
    @Test(arguments: [
        ("POST / HTTP/1.1", "Content-Length: 1", true), ("POST / HTTP/1.1", "Transfer-Encoding: chunked", true),
        ("POST / HTTP/1.1", "Content-Length: 0", false), ("POST / HTTP/1.1", "X: y", false),
        ("POST / HTTP/1.0", "Content-Length: 1", false),
    ])
    func saysWhetherTheClientWaitsToBeToldToContinue(line: String, framing: String, waits: Bool) throws {
        #expect(try head(request(line, "Expect: 100-continue", framing)).expectsContinue == waits)
    }

    @Test(arguments: [
        ("Content-Length: 0", BodyFraming.none), ("Content-Length: 12", .length(12)),
        ("Content-Length: 00012", .length(12)), ("Transfer-Encoding: chunked", .chunked), ("X: y", .none),
    ])
    func saysHowTheContentIsFramed(field: String, framing: BodyFraming) throws {
        #expect(try head(request("POST / HTTP/1.1", field)).bodyFraming == framing)
    }

    @Test
    func readsValuesAsUTF8OrElseAsLatin1() throws {
        let fields = try head(request("GET / HTTP/1.1", "A: caf\u{C3}\u{A9}", "B: caf\u{E9}", "C: \t a \t b\t "))
            .request
            .headerFields
        #expect(fields.map(\.value) == ["café", "café", "a \t b"])
    }

    @Test
    func keepsTrailersApartAndDropsThoseWithoutMeaning() {
        let content = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Sum: 1\r\nAuthorization: Basic x\r\nSet-Cookie: a=b\r\n\r\n"
        let trace = RequestTrace(request("POST / HTTP/1.1", "Transfer-Encoding: chunked", content: content))
        #expect(trace.bodies == [Array("abcde".utf8)])
        #expect(trace.trailers == [(["x-sum": "1"] as KeyValuePairs).fields])
        #expect(trace.heads.first?.request.headerFields.count == 1)
    }
}
