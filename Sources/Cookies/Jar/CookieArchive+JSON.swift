import Primitives

/// Why a saved jar was not read at all.
///
///     do throws(CookieArchiveError) { archive = try CookieArchive(json: saved) } catch {
///         if error == .newerVersion { keepsFile = true }
///     }
public enum CookieArchiveError: Error, Hashable, Sendable {
    /// It is not what ``CookieArchive`` writes.
    case malformed
    /// A newer version wrote it. It may hold what would be lost.
    case newerVersion
}

extension CookieArchive {
    /// What `JSONEncoder` makes of it, without Foundation.
    ///
    ///     let bytes = CookieArchive(jar, at: now).json.serialised()
    public var json: JSON {
        [
            "version": .number(JSONNumber(Int64(version))),
            "cookies": .array(cookies.map { $0.cookie?.json ?? .null }),
        ]
    }

    /// Reads what ``json`` or `JSONEncoder` has written.
    ///
    ///     let archive = try CookieArchive(json: JSON(parsing: bytes.span))
    ///     let restored = archive.restore(at: now)
    public init(json: JSON) throws(CookieArchiveError) {
        guard let version = json["version"]?.int64, version >= 1, let cookies = json["cookies"]?.array else {
            throw .malformed
        }
        guard version <= Self.currentVersion else { throw .newerVersion }
        self.version = Int(version)
        self.cookies = cookies.map { Saved(cookie: Cookie(json: $0)) }
    }
}
