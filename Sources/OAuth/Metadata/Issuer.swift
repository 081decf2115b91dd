/// The URL that an authorization server goes by.
///
/// RFC 8414 section 2, OpenID Connect Discovery section 3: scheme `https`, a host, perhaps a port and a path, no query
/// and no fragment. Plain `http` is taken too, for this is where tests run. Clients compare issuers byte by byte, so
/// the text stays as it was given.
///
///     try Issuer("https://id.example/tenant").configurationPaths
///     // "/tenant/.well-known/openid-configuration", "/.well-known/openid-configuration/tenant", …
package struct Issuer: Hashable, Sendable {
    package let identifier: String
    /// Where the endpoints begin: empty, or a slash and segments, without a slash at the end.
    package let basePath: String
    private let endpointBase: String

    package init(_ identifier: String) throws(IssuerError) {
        let rest: Substring
        if identifier.hasPrefix("https://") {
            rest = identifier.dropFirst("https://".count)
        } else if identifier.hasPrefix("http://") {
            rest = identifier.dropFirst("http://".count)
        } else {
            throw .notHTTP
        }
        guard !identifier.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw .hasQueryOrFragment
        }
        let authority = rest.prefix { $0 != "/" }
        guard Authority(String(authority)) != nil else { throw .badAuthority }
        // OpenID Connect Discovery section 4.1: a slash at the end does not count.
        var path = rest.dropFirst(authority.count)
        if path.hasSuffix("/") { path = path.dropLast() }
        guard Self.isPlain(path.utf8) else { throw .badPath }
        self.identifier = identifier
        basePath = String(path)
        endpointBase = identifier.hasSuffix("/") ? String(identifier.dropLast()) : identifier
    }

    /// The issuer of a server that is reached under this scheme and authority.
    package init(isEncrypted: Bool, authority: Authority) {
        identifier = (isEncrypted ? "https://" : "http://") + authority.text(defaultPort: isEncrypted ? 443 : 80)
        basePath = ""
        endpointBase = identifier
    }

    private init(identifier: String, basePath: String) {
        self.identifier = identifier
        self.basePath = basePath
        endpointBase = identifier
    }

    /// The issuer at a path below this one: empty, or plain segments after slashes.
    package func below(_ path: String) -> Issuer {
        guard !path.isEmpty else { return self }
        precondition(path.hasPrefix("/") && Self.isPlain(path[...].utf8), "a path below an issuer is plain")
        return Issuer(identifier: endpointBase + path, basePath: basePath + path)
    }

    /// The URL of an endpoint, whose path begins with a slash.
    package func url(of path: String) -> String { endpointBase + path }

    /// Where clients look for the metadata.
    ///
    /// OpenID Connect Discovery section 4.1 puts its well-known name behind the issuer's path. RFC 8414 section 3.1
    /// puts it between host and path, its section 5 does so for both names. Each is answered in both places.
    package var metadataPaths: [String] {
        Self.metadataNames.flatMap { name in
            basePath.isEmpty ? [name] : [basePath + name, name + basePath]
        }
    }

    /// Where clients look for the metadata of an issuer without a path.
    package static let metadataNames = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]

    /// Segments of unreserved characters, sub-delimiters, `:` and `@` (RFC 3986 section 3.3). Percent-encoding is left
    /// out because two spellings of one path would be two issuers, and so are `.` and `..`.
    private static func isPlain(_ path: Substring.UTF8View) -> Bool {
        guard !path.isEmpty else { return true }
        return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
                && $0.allSatisfy { URICharacters.isSegmentByte($0) }
        }
    }
}

extension Issuer: CustomStringConvertible {
    package var description: String { identifier }
}
