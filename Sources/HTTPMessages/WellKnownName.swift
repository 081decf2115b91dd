/// The field names that have a constant. Finding one by its bytes costs neither an allocation nor a string comparison,
/// and a `switch` over it costs less than one over names.
package enum WellKnownName: UInt8, CaseIterable, Sendable {
    case accept
    case acceptEncoding
    case acceptLanguage
    case allow
    case authorization
    case cacheControl
    case connection
    case contentEncoding
    case contentLength
    case contentSecurityPolicy
    case contentType
    case contentTypeOptions
    case cookie
    case date
    case dpop
    case dpopNonce
    case eTag
    case expect
    case forwarded
    case host
    case keepAlive
    case location
    case origin
    case pragma
    case referer
    case referrerPolicy
    case retryAfter
    case secFetchDest
    case secFetchMode
    case secFetchSite
    case server
    case setCookie
    case te
    case trailer
    case transferEncoding
    case upgrade
    case userAgent
    case vary
    case wwwAuthenticate
    case xForwardedFor
    case xForwardedHost
    case xForwardedProto
    case xRequestID

    /// In lower case.
    package var canonicalName: StaticString {
        switch self {
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .acceptLanguage: "accept-language"
        case .allow: "allow"
        case .authorization: "authorization"
        case .cacheControl: "cache-control"
        case .connection: "connection"
        case .contentEncoding: "content-encoding"
        case .contentLength: "content-length"
        case .contentSecurityPolicy: "content-security-policy"
        case .contentType: "content-type"
        case .contentTypeOptions: "x-content-type-options"
        case .cookie: "cookie"
        case .date: "date"
        case .dpop: "dpop"
        case .dpopNonce: "dpop-nonce"
        case .eTag: "etag"
        case .expect: "expect"
        case .forwarded: "forwarded"
        case .host: "host"
        case .keepAlive: "keep-alive"
        case .location: "location"
        case .origin: "origin"
        case .pragma: "pragma"
        case .referer: "referer"
        case .referrerPolicy: "referrer-policy"
        case .retryAfter: "retry-after"
        case .secFetchDest: "sec-fetch-dest"
        case .secFetchMode: "sec-fetch-mode"
        case .secFetchSite: "sec-fetch-site"
        case .server: "server"
        case .setCookie: "set-cookie"
        case .te: "te"
        case .trailer: "trailer"
        case .transferEncoding: "transfer-encoding"
        case .upgrade: "upgrade"
        case .userAgent: "user-agent"
        case .vary: "vary"
        case .wwwAuthenticate: "www-authenticate"
        case .xForwardedFor: "x-forwarded-for"
        case .xForwardedHost: "x-forwarded-host"
        case .xForwardedProto: "x-forwarded-proto"
        case .xRequestID: "x-request-id"
        }
    }
}

extension WellKnownName {
    /// The name that a token spells, in whichever case.
    @inline(__always)
    static func find(_ token: UnsafeBufferPointer<UInt8>) -> Self? {
        guard let first = token.first, let candidate = candidate(first: first | 0x20, token) else { return nil }
        return equalsIgnoringCase(token, candidate.canonicalName.utf8Start) ? candidate : nil
    }

    /// The only name that can be meant, going by its length and a letter or two.
    @inline(__always)
    private static func candidate(first: UInt8, _ token: UnsafeBufferPointer<UInt8>) -> Self? {
        switch (token.count, first) {
        case (2, UInt8(ascii: "t")): .te
        case (4, UInt8(ascii: "d")): token[1] | 0x20 == UInt8(ascii: "p") ? .dpop : .date
        case (4, UInt8(ascii: "e")): .eTag
        case (4, UInt8(ascii: "h")): .host
        case (4, UInt8(ascii: "v")): .vary
        case (5, UInt8(ascii: "a")): .allow
        case (6, UInt8(ascii: "a")): .accept
        case (6, UInt8(ascii: "c")): .cookie
        case (6, UInt8(ascii: "e")): .expect
        case (6, UInt8(ascii: "o")): .origin
        case (6, UInt8(ascii: "p")): .pragma
        case (6, UInt8(ascii: "s")): .server
        case (7, UInt8(ascii: "r")): .referer
        case (7, UInt8(ascii: "t")): .trailer
        case (7, UInt8(ascii: "u")): .upgrade
        case (8, UInt8(ascii: "l")): .location
        case (9, UInt8(ascii: "f")): .forwarded
        case (10, UInt8(ascii: "c")): .connection
        case (10, UInt8(ascii: "d")): .dpopNonce
        case (10, UInt8(ascii: "k")): .keepAlive
        case (10, UInt8(ascii: "s")): .setCookie
        case (10, UInt8(ascii: "u")): .userAgent
        case (11, UInt8(ascii: "r")): .retryAfter
        case (12, UInt8(ascii: "c")): .contentType
        case (12, UInt8(ascii: "x")): .xRequestID
        case (13, UInt8(ascii: "a")): .authorization
        case (13, UInt8(ascii: "c")): .cacheControl
        case (14, UInt8(ascii: "c")): .contentLength
        case (14, UInt8(ascii: "s")):
            switch token[10] | 0x20 {
            case UInt8(ascii: "d"): .secFetchDest
            case UInt8(ascii: "m"): .secFetchMode
            default: .secFetchSite
            }
        case (15, UInt8(ascii: "a")): token[7] | 0x20 == UInt8(ascii: "e") ? .acceptEncoding : .acceptLanguage
        case (15, UInt8(ascii: "r")): .referrerPolicy
        case (15, UInt8(ascii: "x")): .xForwardedFor
        case (16, UInt8(ascii: "c")): .contentEncoding
        case (16, UInt8(ascii: "w")): .wwwAuthenticate
        case (16, UInt8(ascii: "x")): .xForwardedHost
        case (17, UInt8(ascii: "t")): .transferEncoding
        case (17, UInt8(ascii: "x")): .xForwardedProto
        case (22, UInt8(ascii: "x")): .contentTypeOptions
        case (23, UInt8(ascii: "c")): .contentSecurityPolicy
        default: nil
        }
    }

    /// Compares eight bytes at a time, the last eight overlapping those before. Setting the bit that tells capitals from
    /// small letters makes no other byte of a token equal to a letter, digit or hyphen.
    @inline(__always)
    private static func equalsIgnoringCase(
        _ token: UnsafeBufferPointer<UInt8>, _ name: UnsafePointer<UInt8>
    ) -> Bool {
        guard token.count >= 8 else {
            for index in 0..<token.count where token[index] | 0x20 != name[index] { return false }
            return true
        }
        let left = UnsafeRawPointer(token.baseAddress.unsafelyUnwrapped)
        let right = UnsafeRawPointer(name)
        let bits: UInt64 = 0x2020_2020_2020_2020
        var offset = 0
        while true {
            let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | bits
            guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            guard offset + 8 < token.count else { return true }
            offset = min(offset + 8, token.count - 8)
        }
    }
}
