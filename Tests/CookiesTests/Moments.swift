import Cookies
import Primitives

/// When the tests are: any moment would do.
let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

extension CookieContext {
    /// A request for a URL that is one.
    static func request(
        _ url: String, from origin: Origin = .sameSite, by access: Access = .http
    ) -> CookieContext {
        guard let url = CookieURL(url) else { preconditionFailure("\(url) is no URL") }
        return CookieContext(url: url, origin: origin, access: access)
    }
}

extension CookieJar {
    /// A jar that has been told all this by one server.
    init(_ fields: [String], from url: String = "https://app.example/") throws(CookieRefusal) {
        self.init()
        for field in fields { try receive(field, from: .request(url), at: now) }
    }

    /// What goes with a request for a URL.
    mutating func sent(to url: String, at moment: Timestamp = now) -> String? {
        field(for: .request(url), at: moment)
    }
}
