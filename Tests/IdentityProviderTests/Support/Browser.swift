import HTTPMessages
import IdentityProvider
import OAuth
import Testing

/// A browser in memory: keeps cookies as browsers do, follows redirects inside the provider, and submits the forms that it
/// finds in pages, the way a person does: with everything that the page says, and one button.
///
///     let browser = Browser(idp)
///     let page = try await browser.open("/authorize?…")          // the login page
///     let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
///     answer.parameters["code"]
final class Browser {
    private let idp: ProviderUnderTest
    let host: String
    let isEncrypted: Bool
    /// Where the provider sees it come from.
    var address = "127.0.0.1"
    var acceptLanguage: String?
    private(set) var cookies: [Cookie] = []
    /// Every path that was asked for, redirects included.
    private(set) var visited: [String] = []

    /// What the browser remembers of a cookie.
    struct Cookie: Sendable {
        let name: String
        let value: String
        let path: String
        let isSecure: Bool
        let isHTTPOnly: Bool
        let sameSite: String?
        let isPersistent: Bool
    }

    init(_ idp: ProviderUnderTest, host: String = ProviderUnderTest.host, isEncrypted: Bool = false) {
        self.idp = idp
        self.host = host
        self.isEncrypted = isEncrypted
    }

    var origin: String { (isEncrypted ? "https://" : "http://") + host }

    /// Goes to an address of the provider, as by a link on a page of another site.
    func open(_ path: String) async throws -> BrowserPage {
        try await follow(.get, path, HTTPFields(), body: "", isCrossSite: false)
    }

    /// Posts a form that another site has made.
    func post(_ path: String, _ fields: [(name: String, value: String)]) async throws -> BrowserPage {
        try await follow(
            .post, path, ["Origin": "https://client.example", "Sec-Fetch-Site": "cross-site"], fields,
            isCrossSite: true)
    }

    /// Submits the form of a page.
    ///
    /// - Parameters:
    ///   - values: what the person types, and the button he presses.
    ///   - unchecked: values of check boxes that he clears.
    ///   - changing: hidden fields that somebody has tampered with; `nil` takes one away.
    func submit(
        _ page: BrowserPage, _ values: [String: String] = [:], unchecked: Set<String> = [],
        changing: [String: String?] = [:], fields: [String: String]? = nil
    ) async throws -> BrowserPage {
        let form = try #require(page.form, "no form in: \(page.text)")
        var pairs: [(name: String, value: String)] = []
        for field in form.fields where !(field.isCheckbox && unchecked.contains(field.value)) {
            if let changed = changing[field.name] {
                if let changed { pairs.append((field.name, changed)) }
            } else if values[field.name] == nil {
                pairs.append((field.name, field.value))
            }
        }
        pairs += values.map { ($0.key, $0.value) }
        return try await follow(
            .post, form.action, fields ?? ["Origin": origin, "Sec-Fetch-Site": "same-origin"], pairs,
            isCrossSite: false)
    }

    /// Leaves the browser as it is when all its windows are closed.
    func restart() { cookies.removeAll { !$0.isPersistent } }

    func forget(_ name: String) { cookies.removeAll { $0.name == name } }

    func put(_ cookie: Cookie) {
        cookies.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        cookies.append(cookie)
    }

    /// Takes everything that another browser remembers.
    func copyCookies(of other: Browser) { cookies = other.cookies }
}

// MARK: - Requests

extension Browser {
    private func follow(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [String: String],
        _ form: [(name: String, value: String)], isCrossSite: Bool
    ) async throws -> BrowserPage {
        var header: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        for (name, value) in fields { header[try #require(HTTPField.Name(name))] = value }
        return try await follow(
            method, path, header, body: FormParameters(form).encoded, isCrossSite: isCrossSite)
    }

    private func follow(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, body: String, isCrossSite: Bool
    ) async throws -> BrowserPage {
        var answer = await send(method, path, fields, body: body, isCrossSite: isCrossSite)
        var path = path
        for _ in 0..<10 {
            guard (300..<400).contains(answer.status), let location = answer.field("Location") else { break }
            guard let next = inside(location) else {
                return BrowserPage(answer: answer, path: path, location: location)
            }
            path = next
            // After 303 the method is GET, and to a safe method of a top-level navigation `Lax` gives its cookies.
            answer = await send(.get, path, [:], body: "", isCrossSite: false)
        }
        return BrowserPage(answer: answer, path: path, location: nil)
    }

    /// The path of an address of the provider; `nil` for another's.
    private func inside(_ location: String) -> String? {
        if location.hasPrefix("/") { return location }
        guard location.hasPrefix(origin + "/") else { return nil }
        return String(location.dropFirst(origin.count))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, body: String, isCrossSite: Bool
    ) async -> Answer {
        visited.append(path)
        var fields = fields
        let sent = isCrossSite ? [] : cookies.filter { matches($0, path) }
        if !sent.isEmpty { fields[.cookie] = sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") }
        fields[.acceptLanguage] = acceptLanguage
        let head = HTTPRequest(method: method, scheme: nil, authority: host, path: path, headerFields: fields)
        let peer = ServerRequest.Peer(address: address, isLoopback: true, isEncrypted: isEncrypted)
        let answer = Answer(
            await idp.provider.respond(
                to: ServerRequest(head: head, body: Array(body.utf8), peer: peer, id: "r-\(visited.count)")))
        for value in answer.fields[values: .setCookie] { store(value) }
        return answer
    }

    /// RFC 6265 section 5.4. Longer paths first.
    private func matches(_ cookie: Cookie, _ target: String) -> Bool {
        let path = String(target.prefix { $0 != "?" })
        guard isEncrypted || !cookie.isSecure else { return false }
        return path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
    }

    private func store(_ field: String) {
        let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let words = part.split(separator: "=", maxSplits: 1)
            attributes[words[0].lowercased()] = words.count > 1 ? String(words[1]) : ""
        }
        let cookie = Cookie(
            name: String(pair[..<equals]), value: String(pair[pair.index(after: equals)...]),
            path: attributes["path"] ?? "/", isSecure: attributes["secure"] != nil,
            isHTTPOnly: attributes["httponly"] != nil, sameSite: attributes["samesite"],
            isPersistent: attributes["max-age"] != nil)
        cookies.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        if attributes["max-age"] != "0" { cookies.append(cookie) }
        cookies.sort { $0.path.count > $1.path.count }
    }
}
