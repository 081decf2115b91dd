import Primitives

/// Why a saved jar was not read at all.
public enum CookieArchiveError: Error, Hashable, Sendable {
    case malformed
    /// It may hold what would be lost.
    case newerVersion
}

extension CookieArchive {
    /// What `JSONEncoder` makes of it, without Foundation.
    public var json: JSON {
        [
            "version": .number(JSONNumber(Int64(version))),
            "cookies": .array(cookies.map { $0.cookie?.json ?? .null }),
        ]
    }

    public init(json: JSON) throws(CookieArchiveError) {
        guard let version = json["version"]?.int64, version >= 1, let cookies = json["cookies"]?.array else {
            throw .malformed
        }
        guard version <= Self.currentVersion else { throw .newerVersion }
        self.version = Int(version)
        self.cookies = cookies.map { Saved(cookie: Cookie(json: $0)) }
    }
}
