import Primitives

extension RedirectURI {
    /// The URI with the parameters in its query. RFC 6749 section 3.1.2: a query that is there stays.
    package func appending(query parameters: [(name: String, value: String)]) -> String {
        guard !parameters.isEmpty else { return text }
        let separator: StaticString =
            switch uri.query?.utf8.last {
            case nil: uri.query == nil ? "?" : ""
            case UInt8(ascii: "&"): ""
            default: "&"
            }
        return appending(separator, parameters)
    }

    /// The URI with the parameters in its fragment (RFC 6749 section 4.2.2).
    package func appending(fragment parameters: [(name: String, value: String)]) -> String {
        appending("#", parameters)
    }

    /// A space is `%20`: readers of forms and readers of URIs both know it, while only the former know `+`.
    private func appending(_ separator: StaticString, _ parameters: [(name: String, value: String)]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + Self.usualParametersByteCount)
        bytes.append(text)
        bytes.append(separator)
        FormText.append(parameters, space: "%20", to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Room for what most answers say.
    private static let usualParametersByteCount = 256

    /// What a browser calls the origin; an app with a scheme of its own has none.
    package var origin: String? {
        guard let address else { return nil }
        return kind == .https
            ? "https://" + address.text(defaultPort: 443) : "http://" + address.text(defaultPort: 80)
    }

    /// The source that lets a page's form lead here under a content security policy (CSP3 section 2.3.1): the origin,
    /// or the scheme of an app. The grammar has no room for an IPv6 address, so there it is the scheme too.
    package var contentSecuritySource: String {
        guard let origin, address?.host.hasPrefix("[") != true else { return uri.scheme.lowercased() + ":" }
        return origin
    }
}
