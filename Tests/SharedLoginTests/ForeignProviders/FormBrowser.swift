import Cookies
import Foundation
import HTTPMessages
import Primitives
import SessionClient

/// The user's browser, as far as it takes to sign in: it follows redirects, keeps cookies and fills in forms.
struct FormBrowser {
    struct Failure: Error {
        let reason: String
    }

    private let outbound: any OutboundRequests
    private let clock: any WallClock
    private var jar = CookieJar()
    /// No login has more pages.
    private static let maximumPageCount = 10

    init(outbound: any OutboundRequests, clock: any WallClock) {
        self.outbound = outbound
        self.clock = clock
    }

    /// Goes to the URL of a login, signs in, allows what it is asked to, and says where it is sent back to: the redirect URI, with
    /// what stands behind it.
    mutating func run(_ url: String, user: String, password: String) async throws -> String {
        let items = URLComponents(string: url)?.queryItems ?? []
        guard let destination = items.first(where: { $0.name == "redirect_uri" })?.value else {
            throw Failure(reason: "the login does not say where it ends")
        }
        var next = try await load(URL(string: url), nil, destination)
        for _ in 0..<Self.maximumPageCount {
            guard case .page(let url, let text) = next else { break }
            var form = Self.form(of: text)
            if form["password"] != nil { (form["username"], form["password"]) = (user, password) }
            guard !form.isEmpty else { throw Failure(reason: "a page without a form: \(text.prefix(500))") }
            next = try await load(url, form, destination)
        }
        guard case .callback(let callback) = next else { throw Failure(reason: "the pages do not end") }
        return callback
    }

    private enum Place {
        case page(URL, text: String)
        case callback(String)
    }

    /// What a URL leads to.
    private mutating func load(_ url: URL?, _ form: [String: String]?, _ destination: String) async throws -> Place {
        var (url, form) = (url, form)
        for _ in 0..<Self.maximumPageCount {
            guard let place = url, let cookies = CookieURL(place.absoluteString) else {
                throw Failure(reason: "nowhere to go")
            }
            if place.absoluteString.hasPrefix(destination) { return .callback(place.absoluteString) }
            var fields: HTTPFields = [:]
            let context = CookieContext(url: cookies)
            if let field = jar.field(for: context, at: clock.now()) { fields[.cookie] = field }
            if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
            let endpoint = try ServerEndpoint(place.absoluteString)
            let body = form.map { Array(Self.encoded($0).utf8) } ?? []
            let (response, bytes) = try await outbound.send(
                endpoint.request(form == nil ? .get : .post, headerFields: fields), body: body)
            for field in response.headerFields[values: .setCookie] {
                try jar.receive(field, from: context, at: clock.now())
            }
            guard let location = response.headerFields[.location] else {
                guard response.status == .ok else { throw Failure(reason: "\(place) answers \(response.status)") }
                return .page(place, text: String(decoding: bytes, as: UTF8.self))
            }
            (url, form) = (URL(string: location, relativeTo: place)?.absoluteURL, nil)
        }
        throw Failure(reason: "the redirects do not end")
    }

    /// What a form sends whose last button is pressed: the one that says yes.
    private static func form(of page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for input in page.matches(of: /<input\s[^>]*>/) {
            guard let name = input.0.firstMatch(of: /\sname="([^"]*)"/)?.1 else { continue }
            fields[String(name)] = text(input.0.firstMatch(of: /\svalue="([^"]*)"/)?.1 ?? "")
        }
        return fields
    }

    /// Of the entities those that a template writes.
    private static func text(_ value: Substring) -> String {
        [("&quot;", "\""), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(String(value)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }

    private static func encoded(_ form: [String: String]) -> String {
        form.map { [$0.key, $0.value].map(encoded).joined(separator: "=") }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(CharacterSet(charactersIn: "!"..."~")))!
    }
}
