extension HTTPField {
    /// The name of a field: compared without regard to case (RFC 9110 section 5.1), kept as it was written.
    public struct Name: Sendable {
        /// As it was written.
        public let rawName: String
        /// Which of the names below it is, in whichever case. Tells two names apart without a look at their characters.
        package let wellKnown: WellKnownName?

        /// `nil` unless the text is a token of RFC 9110 section 5.6.2.
        public init?(_ name: String) {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else { return nil }
            self.init(validated: name)
        }

        /// For a name that the caller has already found to be a token.
        public init(validated name: String) {
            var name = name
            wellKnown = name.withUTF8 { WellKnownName.find($0) }
            rawName = name
        }

        /// For a name that the caller has already found to be a token.
        public init(validated bytes: UnsafeBufferPointer<UInt8>) {
            wellKnown = WellKnownName.find(bytes)
            rawName = String(decoding: bytes, as: UTF8.self)
        }

        @inline(__always)
        private init(_ known: WellKnownName, _ name: String) {
            rawName = name
            wellKnown = known
        }

        /// In lower case.
        public var canonicalName: String {
            rawName.utf8.contains { $0 &- 0x41 < 26 } ? rawName.lowercased() : rawName
        }
    }
}

extension HTTPField.Name: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.wellKnown, right.wellKnown) {
        case (let left?, let right?): left.rawValue == right.rawValue
        case (nil, nil): left.canonicalName == right.canonicalName
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        if let wellKnown { hasher.combine(wellKnown) } else { hasher.combine(canonicalName) }
    }
}

extension HTTPField.Name: CustomStringConvertible {
    public var description: String { rawName }
}

extension HTTPField.Name {
    public static let accept = Self(.accept, "Accept")
    public static let acceptEncoding = Self(.acceptEncoding, "Accept-Encoding")
    public static let acceptLanguage = Self(.acceptLanguage, "Accept-Language")
    public static let allow = Self(.allow, "Allow")
    public static let authorization = Self(.authorization, "Authorization")
    public static let cacheControl = Self(.cacheControl, "Cache-Control")
    public static let connection = Self(.connection, "Connection")
    public static let contentEncoding = Self(.contentEncoding, "Content-Encoding")
    public static let contentLength = Self(.contentLength, "Content-Length")
    public static let contentType = Self(.contentType, "Content-Type")
    public static let cookie = Self(.cookie, "Cookie")
    public static let date = Self(.date, "Date")
    public static let dpop = Self(.dpop, "DPoP")
    public static let dpopNonce = Self(.dpopNonce, "DPoP-Nonce")
    public static let eTag = Self(.eTag, "ETag")
    public static let expect = Self(.expect, "Expect")
    public static let host = Self(.host, "Host")
    public static let keepAlive = Self(.keepAlive, "Keep-Alive")
    public static let location = Self(.location, "Location")
    public static let origin = Self(.origin, "Origin")
    public static let pragma = Self(.pragma, "Pragma")
    public static let referer = Self(.referer, "Referer")
    public static let retryAfter = Self(.retryAfter, "Retry-After")
    public static let server = Self(.server, "Server")
    public static let setCookie = Self(.setCookie, "Set-Cookie")
    public static let te = Self(.te, "TE")
    public static let trailer = Self(.trailer, "Trailer")
    public static let transferEncoding = Self(.transferEncoding, "Transfer-Encoding")
    public static let upgrade = Self(.upgrade, "Upgrade")
    public static let userAgent = Self(.userAgent, "User-Agent")
    public static let vary = Self(.vary, "Vary")
    public static let wwwAuthenticate = Self(.wwwAuthenticate, "WWW-Authenticate")
    public static let xForwardedFor = Self(.xForwardedFor, "X-Forwarded-For")
    public static let xForwardedProto = Self(.xForwardedProto, "X-Forwarded-Proto")
    public static let xRequestID = Self(.xRequestID, "X-Request-Id")
}
