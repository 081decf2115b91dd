extension HTTPField {
    /// The name of a field: compared without regard to case (RFC 9110 section 5.1), kept as it was written.
    package struct Name: Sendable {
        /// As it was written.
        package let rawName: String
        /// Which of the names below it is, in whichever case. Tells two names apart without a look at their characters.
        package let wellKnown: WellKnownName?

        /// `nil` unless the text is a token of RFC 9110 section 5.6.2.
        package init?(_ name: String) {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else { return nil }
            self.init(validated: name)
        }

        /// For a name that the caller has already found to be a token.
        package init(validated name: String) {
            var name = name
            wellKnown = name.withUTF8 { WellKnownName.find($0) }
            rawName = name
        }

        /// For a name that the caller has already found to be a token.
        package init(validated bytes: UnsafeBufferPointer<UInt8>) {
            wellKnown = WellKnownName.find(bytes)
            rawName = String(decoding: bytes, as: UTF8.self)
        }

        @inline(__always)
        private init(_ known: WellKnownName, _ name: String) {
            rawName = name
            wellKnown = known
        }

        /// In lower case.
        package var canonicalName: String {
            rawName.utf8.contains { $0 &- 0x41 < 26 } ? rawName.lowercased() : rawName
        }
    }
}

extension HTTPField.Name: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left.wellKnown, right.wellKnown) {
        case (let left?, let right?): left.rawValue == right.rawValue
        case (nil, nil): left.canonicalName == right.canonicalName
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        if let wellKnown { hasher.combine(wellKnown) } else { hasher.combine(canonicalName) }
    }
}

extension HTTPField.Name: CustomStringConvertible {
    package var description: String { rawName }
}

extension HTTPField.Name {
    package static let accept = Self(.accept, "Accept")
    package static let acceptEncoding = Self(.acceptEncoding, "Accept-Encoding")
    package static let acceptLanguage = Self(.acceptLanguage, "Accept-Language")
    package static let allow = Self(.allow, "Allow")
    package static let authorization = Self(.authorization, "Authorization")
    package static let cacheControl = Self(.cacheControl, "Cache-Control")
    package static let connection = Self(.connection, "Connection")
    package static let contentEncoding = Self(.contentEncoding, "Content-Encoding")
    package static let contentLength = Self(.contentLength, "Content-Length")
    package static let contentType = Self(.contentType, "Content-Type")
    package static let cookie = Self(.cookie, "Cookie")
    package static let date = Self(.date, "Date")
    package static let dpop = Self(.dpop, "DPoP")
    package static let dpopNonce = Self(.dpopNonce, "DPoP-Nonce")
    package static let eTag = Self(.eTag, "ETag")
    package static let expect = Self(.expect, "Expect")
    package static let host = Self(.host, "Host")
    package static let keepAlive = Self(.keepAlive, "Keep-Alive")
    package static let location = Self(.location, "Location")
    package static let origin = Self(.origin, "Origin")
    package static let pragma = Self(.pragma, "Pragma")
    package static let referer = Self(.referer, "Referer")
    package static let retryAfter = Self(.retryAfter, "Retry-After")
    package static let server = Self(.server, "Server")
    package static let setCookie = Self(.setCookie, "Set-Cookie")
    package static let te = Self(.te, "TE")
    package static let trailer = Self(.trailer, "Trailer")
    package static let transferEncoding = Self(.transferEncoding, "Transfer-Encoding")
    package static let upgrade = Self(.upgrade, "Upgrade")
    package static let userAgent = Self(.userAgent, "User-Agent")
    package static let vary = Self(.vary, "Vary")
    package static let wwwAuthenticate = Self(.wwwAuthenticate, "WWW-Authenticate")
    package static let xForwardedFor = Self(.xForwardedFor, "X-Forwarded-For")
    package static let xForwardedProto = Self(.xForwardedProto, "X-Forwarded-Proto")
    package static let xRequestID = Self(.xRequestID, "X-Request-Id")
}
