extension HTTPField {
    /// The name of a field: compared without regard to case (RFC 9110 section 5.1), kept as it was written.
    ///
    ///     let isSame = HTTPField.Name("content-type") == .contentType         // true
    ///     let name = HTTPField.Name("not a token")                            // nil
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
        public var canonicalName: String {
            rawName.utf8.contains { $0 &- 0x41 < 26 } ? rawName.lowercased() : rawName
        }
    }
}

extension HTTPField.Name: Hashable {
    /// Without regard to case.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.wellKnown, right.wellKnown) {
        case (let left?, let right?): left.rawValue == right.rawValue
        case (nil, nil): left.canonicalName == right.canonicalName
        default: false
        }
    }

    /// Without regard to case.
    public func hash(into hasher: inout Hasher) {
        if let wellKnown { hasher.combine(wellKnown) } else { hasher.combine(canonicalName) }
    }
}

extension HTTPField.Name: CustomStringConvertible {
    /// As it was written.
    public var description: String { rawName }
}

extension HTTPField.Name {
    /// Which media types an answer may have (RFC 9110 section 12.5.1).
    public static let accept = Self(.accept, "Accept")
    package static let acceptEncoding = Self(.acceptEncoding, "Accept-Encoding")
    /// Which languages the user reads (RFC 9110 section 12.5.4).
    public static let acceptLanguage = Self(.acceptLanguage, "Accept-Language")
    /// Which methods a resource takes (RFC 9110 section 10.2.1).
    public static let allow = Self(.allow, "Allow")
    /// Credentials (RFC 9110 section 11.6.2). A session puts its own here.
    public static let authorization = Self(.authorization, "Authorization")
    /// What may be kept, and for how long (RFC 9111 section 5.2).
    public static let cacheControl = Self(.cacheControl, "Cache-Control")
    package static let connection = Self(.connection, "Connection")
    /// How the body is compressed (RFC 9110 section 8.4).
    public static let contentEncoding = Self(.contentEncoding, "Content-Encoding")
    /// Bytes of the body (RFC 9110 section 8.6). Whoever sends the request writes it.
    public static let contentLength = Self(.contentLength, "Content-Length")
    package static let contentSecurityPolicy = Self(.contentSecurityPolicy, "Content-Security-Policy")
    /// What the body is (RFC 9110 section 8.3).
    public static let contentType = Self(.contentType, "Content-Type")
    package static let contentTypeOptions = Self(.contentTypeOptions, "X-Content-Type-Options")
    /// The cookies of a request (RFC 6265bis section 4.2).
    public static let cookie = Self(.cookie, "Cookie")
    /// When the message was made (RFC 9110 section 6.6.1).
    public static let date = Self(.date, "Date")
    /// The proof that the sender has the key of his token (RFC 9449 section 4.1).
    public static let dpop = Self(.dpop, "DPoP")
    /// What the next proof has to repeat (RFC 9449 section 8).
    public static let dpopNonce = Self(.dpopNonce, "DPoP-Nonce")
    /// Which state of a resource this is (RFC 9110 section 8.8.3).
    public static let eTag = Self(.eTag, "ETag")
    package static let expect = Self(.expect, "Expect")
    package static let forwarded = Self(.forwarded, "Forwarded")
    package static let host = Self(.host, "Host")
    package static let keepAlive = Self(.keepAlive, "Keep-Alive")
    /// Where to go, or what was made (RFC 9110 section 10.2.2).
    public static let location = Self(.location, "Location")
    /// Whose page sent the request (RFC 6454 section 7).
    public static let origin = Self(.origin, "Origin")
    package static let pragma = Self(.pragma, "Pragma")
    /// From where the request was reached (RFC 9110 section 10.1.3).
    public static let referer = Self(.referer, "Referer")
    package static let referrerPolicy = Self(.referrerPolicy, "Referrer-Policy")
    /// When to ask again (RFC 9110 section 10.2.3).
    public static let retryAfter = Self(.retryAfter, "Retry-After")
    /// What the answer is for (Fetch Metadata section 2.1).
    package static let secFetchDest = Self(.secFetchDest, "Sec-Fetch-Dest")
    /// How it was asked for (Fetch Metadata section 2.2).
    package static let secFetchMode = Self(.secFetchMode, "Sec-Fetch-Mode")
    /// How the page that asks and the server belong together (Fetch Metadata section 2.3).
    package static let secFetchSite = Self(.secFetchSite, "Sec-Fetch-Site")
    package static let server = Self(.server, "Server")
    /// A cookie that the server sets (RFC 6265bis section 4.1); the one field that is no list.
    public static let setCookie = Self(.setCookie, "Set-Cookie")
    package static let te = Self(.te, "TE")
    package static let trailer = Self(.trailer, "Trailer")
    package static let transferEncoding = Self(.transferEncoding, "Transfer-Encoding")
    package static let upgrade = Self(.upgrade, "Upgrade")
    /// Which program sent the request (RFC 9110 section 10.1.5).
    public static let userAgent = Self(.userAgent, "User-Agent")
    package static let vary = Self(.vary, "Vary")
    /// Which credentials are asked for (RFC 9110 section 11.6.1).
    public static let wwwAuthenticate = Self(.wwwAuthenticate, "WWW-Authenticate")
    package static let xForwardedFor = Self(.xForwardedFor, "X-Forwarded-For")
    package static let xForwardedHost = Self(.xForwardedHost, "X-Forwarded-Host")
    package static let xForwardedProto = Self(.xForwardedProto, "X-Forwarded-Proto")
    /// Names a request in the logs of several servers. No standard has it.
    public static let xRequestID = Self(.xRequestID, "X-Request-Id")
}
