import HTTPMessages

/// What a browser is told that came to the loopback interface: a page without a script that nobody keeps and nobody frames.
package struct LoopbackReply: Hashable, Sendable {
    package let status: HTTPResponse.Status
    package let text: String

    package static let received = Self(status: .ok, text: "The app has got the answer. You may close this window.")
    package static let notAwaited = Self(status: .badRequest, text: "This is not the answer that the app waits for.")
    package static let tooLate = Self(status: .gone, text: "The app no longer waits for this answer.")
    package static let malformed = Self(status: .badRequest, text: "This is no request for this place.")
    package static let elsewhere = Self(status: .notFound, text: "There is nothing here.")
    package static let otherMethod = Self(status: .methodNotAllowed, text: "This place is read with GET.")
    package static let tooLarge = Self(status: .requestHeaderFieldsTooLarge, text: "This request is too long.")

    package var bytes: [UInt8] {
        let page = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(status.code)</title></head>\
            <body><p>\(text)</p></body></html>
            """
        // The URL of this page has a code in it: it goes to no other place, and into no cache.
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        if status == .methodNotAllowed { head += "Allow: GET\r\n" }
        head += """
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }
}
