import HTTPMessages
import Primitives
import SessionClient
import Testing

@Suite struct LoopbackRequestTests {
    private let reader = LoopbackRequestReader(path: "/callback", origin: "http://127.0.0.1:4711", port: 4711)

    private func read(_ text: String) -> LoopbackRequestReader.Reading { reader.read(Array(text.utf8)) }

    private static let host = "Host: 127.0.0.1:4711\r\n"

    @Test(arguments: [
        ("GET /callback?code=a&state=b HTTP/1.1\r\n\(host)\r\n", "/callback?code=a&state=b"),
        ("GET /callback HTTP/1.1\r\n\(host)\r\n", "/callback"),
        ("GET /callback?a=%20b+c HTTP/1.0\r\nhOST:\t[::1]:4711\r\nAccept: */*\r\n\r\n", "/callback?a=%20b+c"),
        ("GET /callback? HTTP/1.1\r\nHost: localhost:4711\r\n\r\nmore", "/callback?"),
    ])
    func findsTheCallback(_ text: String, _ target: String) {
        #expect(read(text) == .callback("http://127.0.0.1:4711" + target))
    }

    @Test func waitsForTheWholeHead() {
        let whole = Array("GET /callback?code=a HTTP/1.1\r\n\(Self.host)\r\n".utf8)
        for count in 0..<whole.count { #expect(reader.read(Array(whole[..<count])) == .incomplete) }
        #expect(reader.read(whole) != .incomplete)
    }

    @Test(arguments: [
        "/favicon.ico", "/", "/callback/", "/callbackx?code=a", "/Callback?code=a", "//callback", "/%63allback",
        "/./callback", "http://127.0.0.1:4711/callback", "*", "callback",
    ])
    func knowsOnePathAlone(_ target: String) {
        #expect(read("GET \(target) HTTP/1.1\r\n\(Self.host)\r\n") == .refused(.elsewhere))
    }

    @Test(arguments: ["POST", "HEAD", "OPTIONS", "get", "PUT"]) func takesNoOtherMethod(_ method: String) {
        #expect(read("\(method) /callback?code=a HTTP/1.1\r\n\(Self.host)\r\n") == .refused(.otherMethod))
    }

    @Test(arguments: [
        // The request line
        "GET /callback\r\n\(host)\r\n", "GET  /callback HTTP/1.1\r\n\(host)\r\n",
        "GET /callback HTTP/1.1 \r\n\(host)\r\n",
        "GET /callback HTTP/2.0\r\n\(host)\r\n", "GET /callback http/1.1\r\n\(host)\r\n",
        " /callback HTTP/1.1\r\n\(host)\r\n",
        "GET /callback?a b HTTP/1.1\r\n\(host)\r\n", "GET /callback?\u{1} HTTP/1.1\r\n\(host)\r\n",
        "GET /callback?ä HTTP/1.1\r\n\(host)\r\n", "GET /callback?a#b HTTP/1.1\r\n\(host)\r\n",
        "\r\nGET /callback HTTP/1.1\r\n\(host)\r\n", "G@T /callback HTTP/1.1\r\n\(host)\r\n",
        // Host: a name of somebody else's that leads here
        "GET /callback HTTP/1.1\r\n\r\n", "GET /callback HTTP/1.1\r\nHost: evil.example:4711\r\n\r\n",
        "GET /callback HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:4712\r\n\r\n",
        "GET /callback HTTP/1.1\r\n\(host)\(host)\r\n", "GET /callback HTTP/1.1\r\n\(host)Host: evil.example\r\n\r\n",
        "GET /callback HTTP/1.1\r\nHost: localhost.evil.example:4711\r\n\r\n",
        // Fields
        "GET /callback HTTP/1.1\r\nHost : 127.0.0.1:4711\r\n\r\n", "GET /callback HTTP/1.1\r\n\(host) folded\r\n\r\n",
        "GET /callback HTTP/1.1\r\n\(host)nothing\r\n\r\n", "GET /callback HTTP/1.1\r\n\(host): x\r\n\r\n",
        "GET /callback HTTP/1.1\r\n\(host)A: b\u{0}\r\n\r\n", "GET /callback HTTP/1.1\r\n\(host)A: b\nC: d\r\n\r\n",
    ])
    func refusesWhatIsNotWellFormed(_ text: String) {
        #expect(read(text) == .refused(.malformed))
    }

    @Test func readsNoMoreThanABrowserSends() {
        let target = "/callback?" + String(repeating: "a", count: LoopbackRequestReader.maximumTargetByteCount)
        #expect(read("GET \(target) HTTP/1.1\r\n\(Self.host)\r\n") == .refused(.tooLarge))
        let field = "A: " + String(repeating: "a", count: LoopbackRequestReader.maximumHeadByteCount)
        #expect(read("GET /callback HTTP/1.1\r\n\(Self.host)\(field)") == .refused(.tooLarge))
        let fields = String(repeating: "A: b\r\n", count: LoopbackRequestReader.maximumFieldCount)
        #expect(read("GET /callback HTTP/1.1\r\n\(Self.host)\(fields)\r\n") == .refused(.tooLarge))
    }

    @Test func neverCrashes() {
        let random = SeededRandom(seed: 5)
        let whole = Array("GET /callback?code=a HTTP/1.1\r\n\(Self.host)\r\n".utf8)
        var callbacks = 0
        for _ in 0..<20_000 {
            var bytes = whole
            let chance = random.bytes(3)
            bytes[Int(chance[0]) % bytes.count] = chance[1]
            if chance[2] < 64 { bytes.removeSubrange(Int(chance[0]) % bytes.count..<bytes.count) }
            if case .callback(let url) = reader.read(bytes) {
                #expect(url.hasPrefix("http://127.0.0.1:4711/callback"))
                callbacks += 1
            }
        }
        #expect(callbacks > 0 && callbacks < 20_000)
    }

    @Test(arguments: [
        LoopbackReply.received, .notAwaited, .tooLate, .malformed, .elsewhere, .otherMethod, .tooLarge,
    ])
    func answersWithAPageThatRunsNothing(_ reply: LoopbackReply) throws {
        let text = String(decoding: reply.bytes, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 \(reply.status.code) "))
        let fields = parts[0].split(separator: "\r\n").dropFirst()
        #expect(fields.contains("Content-Length: \(parts[1].utf8.count)"))
        #expect(fields.contains("Cache-Control: no-store") && fields.contains("Referrer-Policy: no-referrer"))
        #expect(fields.contains { $0.hasPrefix("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'") })
        #expect(fields.contains("Connection: close"))
        #expect(!parts[1].contains("<script") && !parts[1].contains("http"))
    }
}
