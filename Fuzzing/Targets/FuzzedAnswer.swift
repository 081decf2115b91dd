import HTTPMessages
import OAuth
import Primitives

/// An answer of the authorization endpoint. Whatever was asked, it is one of few kinds.
struct FuzzedAnswer {
    let status: Int
    let fields: HTTPFields
    /// What is told to the client at its redirect URI.
    private(set) var parameters = FormParameters()
    private(set) var isForClient = false

    var code: String? { parameters["code"] }
    var error: String? { parameters["error"] }

    init(_ response: ServerResponse) {
        status = Int(response.head.status.code)
        fields = response.head.headerFields
        require(status < 500, "nobody outside brings about a fault of ours")
        for field in fields {
            require(!field.value.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a header field stays on its line")
        }
        require(fields[.cacheControl] == "no-store", "no answer is kept")
        let location = fields[.location]
        require(location == nil ? status == 200 || status == 400 : status == 303, "a page, or a redirect to a GET")
        if let location { read(location) }
    }

    /// Registered hosts, and our own: nothing else is ever a place to go to.
    private mutating func read(_ location: String) {
        let url = BrowserURL(location)
        isForClient = !location.hasPrefix("/") && !location.hasPrefix(FuzzedProvider.issuer + "/")
        guard isForClient else { return require(!location.hasPrefix("//"), "a path of ours is no host") }
        let isApp = url.scheme == "com.example.app"
        let isOfThisMachine = url.scheme == "http" && ["127.0.0.1", "[::1]", "localhost"].contains(url.host)
        require(isApp || isOfThisMachine || url.host == "app.example", "nobody is sent where no client has registered")
        if url.host == "app.example" {
            require(location.hasPrefix(FuzzedProvider.redirect), "what was registered stays as it is")
        }
        let mark = location.utf8.lastIndex(of: UInt8(ascii: "#")) ?? location.utf8.firstIndex(of: UInt8(ascii: "?"))
        guard let mark, let form = try? FormParameters(parsing: Array(location.utf8[mark...].dropFirst()).span) else {
            return require(false, "an answer to a client has parameters")
        }
        parameters = form
        require(form["iss"] == FuzzedProvider.issuer, "an answer says whose it is")
        require((form["error"] == nil) != (form["code"] == nil && form["id_token"] == nil), "an answer or an error")
        require(form.firstRepeatedName == nil, "an answer says nothing twice")
    }
}
