import HTTPMessages
import HTTPWire
import Testing

@Suite("What is written")
struct SerialiserTests {
    private let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

    private func written(
        _ response: HTTPResponse, framing: BodyFraming = .none, connection: ResponseSerialiser.Connection = .persistent
    ) throws -> String {
        var output = Array("before|".utf8)
        try ResponseSerialiser().appendHead(
            response, framing: framing, connection: connection, date: date.span, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test
    func aResponseIsAppendedWithItsOwnFields() throws {
        let response = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .cacheControl: "no-store"])
        #expect(
            try written(response, framing: .length(1_234_567)) == """
                before|HTTP/1.1 200 OK\r
                Content-Type: text/plain\r
                Cache-Control: no-store\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                Content-Length: 1234567\r
                \r

                """)
    }

    @Test(arguments: [
        (BodyFraming.none, ResponseSerialiser.Connection.persistent, ""),
        (.length(0), .persistent, "Content-Length: 0\r\n"),
        (.length(.max), .persistent, "Content-Length: 9223372036854775807\r\n"),
        (.chunked, .persistent, "Transfer-Encoding: chunked\r\n"),
        (.length(9), .close, "Connection: close\r\nContent-Length: 9\r\n"),
        (.untilClose, .close, "Connection: close\r\n"),
        (.length(10), .keepAlive, "Connection: keep-alive\r\nContent-Length: 10\r\n"),
    ])
    func framingAndConnection(framing: BodyFraming, connection: ResponseSerialiser.Connection, lines: String) throws {
        let text = try written(HTTPResponse(status: .noContent), framing: framing, connection: connection)
        #expect(text.hasSuffix("GMT\r\n" + lines + "\r\n"))
    }

    @Test(arguments: [100, 101, 103, 199])
    func refusesAnInterimStatusAsTheAnswer(code: Int) {
        #expect(throws: SerialiserError.interimStatus) {
            _ = try written(HTTPResponse(status: .init(code: code, reasonPhrase: "")))
        }
    }

    @Test(arguments: Array(200...999))
    func everyStatusIsReadAsItWasWritten(code: Int) throws {
        let status = HTTPResponse.Status(code: code, reasonPhrase: code == 599 ? "" : "Some phrase")
        let text = try written(HTTPResponse(status: status)).dropFirst(7)
        #expect(text.hasPrefix("HTTP/1.1 \(code) "))
        let trace = ResponseTrace(Array(text.utf8), thenEnds: true)
        #expect(trace.heads.first?.response.status.code == code)
    }

    @Test
    func aValueMayBeEmptyAndHaveATabAndAnyLetter() throws {
        let fields = (["X-Nothing": "", "x-tab": "a\tb", "X-Letters": "äöü 한국어"] as KeyValuePairs).fields
        #expect(
            try written(HTTPResponse(status: .ok, headerFields: fields), framing: .length(0)) == """
                before|HTTP/1.1 200 OK\r
                X-Nothing: \r
                x-tab: a\tb\r
                X-Letters: äöü 한국어\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                Content-Length: 0\r
                \r

                """)
    }

    /// A handler must not be able to frame the message or steer the connection.
    @Test
    func fieldsOfTheSerialiserAreLeftOutWhenAHandlerSetThem() throws {
        let fields: HTTPFields = [
            .contentLength: "5", .transferEncoding: "chunked", .connection: "upgrade", .date: "never",
            .keepAlive: "x", .contentType: "a/b",
        ]
        let text = try written(HTTPResponse(status: .ok, headerFields: fields), framing: .length(1))
        #expect(text.components(of: "Content-Length") == 1)
        #expect(text.components(of: "Date") == 1)
        for absent in ["Transfer-Encoding", "Connection", "never", "Keep-Alive"] { #expect(!text.contains(absent)) }
    }

    /// Response splitting: a value with a line end would be another field, or another response.
    @Test(arguments: ["\r\nSet-Cookie: a=b", "\n", "\r", "x\0", "\u{7F}", "\u{1B}[2J", "a\u{0B}b"])
    func refusesAValueThatIsMoreThanAValue(value: String) throws {
        let serialiser = ResponseSerialiser()
        for position in 0..<3 {
            var fields: HTTPFields = [.location: "/a", .server: "x", .pragma: "y"]
            fields[[.location, .server, .pragma][position]] = "/" + value + "/and more text after it"
            var output = Array("before".utf8)
            #expect(throws: SerialiserError.controlByte) {
                try serialiser.appendHead(
                    HTTPResponse(status: .found, headerFields: fields), framing: .length(0), connection: .persistent,
                    date: date.span, to: &output)
            }
            #expect(throws: SerialiserError.controlByte) {
                try serialiser.appendLastChunk(trailers: (["X-A": value] as KeyValuePairs).fields, to: &output)
            }
            #expect(output == Array("before".utf8))
        }
    }

    @Test(arguments: ["OK\r\nSet-Cookie: a=b", "\0", "\n"])
    func refusesAPhraseThatIsMoreThanAPhrase(phrase: String) throws {
        #expect(throws: SerialiserError.controlByte) {
            _ = try written(HTTPResponse(status: .init(code: 299, reasonPhrase: phrase)))
        }
        // Where the phrase is well known, the one that was given is not looked at.
        let known = try written(HTTPResponse(status: .init(code: 200, reasonPhrase: phrase)))
        #expect(known.contains("HTTP/1.1 200 OK\r\nDate:"))
    }

    @Test
    func chunksAreWrittenWithoutAnEmptyOneInTheMiddle() throws {
        let serialiser = ResponseSerialiser()
        var output: [UInt8] = []
        let nothing: [UInt8] = []
        serialiser.appendChunk([UInt8](repeating: 0x78, count: 31).span, to: &output)
        serialiser.appendChunk(nothing.span, to: &output)
        serialiser.appendChunk(Array("y".utf8).span, to: &output)
        try serialiser.appendLastChunk(
            trailers: (["X-A": "b", "Content-Length": "5"] as KeyValuePairs).fields, to: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text == "1f\r\n" + String(repeating: "x", count: 31) + "\r\n1\r\ny\r\n0\r\nX-A: b\r\n\r\n")
    }

    @Test
    func theInterimResponseIsRead() {
        var output: [UInt8] = []
        ResponseSerialiser().appendContinue(to: &output)
        let trace = ResponseTrace(output)
        #expect(trace.items.count == 1)
        #expect(trace.failure == nil)
    }

    private func written(_ request: HTTPRequest, framing: BodyFraming = .none, keepAlive: Bool = true) throws -> String
    {
        var output: [UInt8] = []
        try RequestSerialiser().appendHead(request, framing: framing, keepAlive: keepAlive, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func get(authority: String? = "a:80", path: String? = "/", method: HTTPRequest.Method = .get) -> HTTPRequest
    {
        HTTPRequest(method: method, scheme: nil, authority: authority, path: path)
    }

    @Test
    func aRequestIsWrittenWithItsHost() throws {
        var request = get(path: "/x?y")
        request.headerFields = [.host: "other", .accept: "*/*", .contentLength: "9", .connection: "x"]
        #expect(
            try written(request, framing: .length(3), keepAlive: false)
                == "GET /x?y HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\nConnection: close\r\nContent-Length: 3\r\n\r\n")
        #expect(try written(get(path: "*", method: .options)) == "OPTIONS * HTTP/1.1\r\nHost: a:80\r\n\r\n")
    }

    @Test(arguments: [nil, "", "x", "*", "/a b", "/\r\nX: y", "/#f", "/ä", "http://a/", "/\0"])
    func refusesABadTarget(path: String?) {
        #expect(throws: SerialiserError.badTarget) { try written(get(path: path)) }
    }

    @Test(arguments: [nil, "", "a b", "u@a", "a\r\nX: y", "a:x", "a/b"])
    func refusesABadAuthority(authority: String?) {
        #expect(throws: SerialiserError.badAuthority) { try written(get(authority: authority)) }
    }

    @Test
    func refusesABadValueInARequest() {
        var request = get()
        request.headerFields = [.userAgent: "x\r\nY: z"]
        var output = Array("before".utf8)
        #expect(throws: SerialiserError.controlByte) {
            try RequestSerialiser().appendHead(request, framing: .none, to: &output)
        }
        #expect(output == Array("before".utf8))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        ranges(of: part).count
    }
}
