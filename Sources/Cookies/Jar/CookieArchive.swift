import Primitives

/// A jar as it is saved: everything of every cookie, and what was decided about those that have no end.
///
///     let data = try JSONEncoder().encode(CookieArchive(jar, at: now))
///     let restored = try JSONDecoder().decode(CookieArchive.self, from: data).restore(at: now)
public struct CookieArchive: Codable, Sendable {
    /// Of the format. One that is newer is refused, for it may hold what would be lost.
    package static let currentVersion = 1

    let version: Int
    let cookies: [Saved]

    /// What becomes of session cookies, which end with the user agent by what their server has said.
    public enum SessionCookies: Hashable, Sendable {
        /// They end, as in a browser that is closed.
        case leftOut
        /// They stay session cookies, as in a browser that restores its windows.
        case kept
        /// They get an end. The risk: a login that its server meant to end with the app is good on this device for that
        /// long, for whoever holds the device, and the server does not know.
        case given(Duration)
    }

    /// What is over by now is left out.
    ///
    ///     let archive = CookieArchive(jar, sessionCookies: .given(.seconds(86_400)), at: now)
    public init(_ jar: CookieJar, sessionCookies: SessionCookies = .leftOut, at now: Timestamp) {
        version = Self.currentVersion
        cookies = jar.all.compactMap { cookie in
            guard !cookie.isExpired(at: now) else { return nil }
            switch (cookie.isPersistent, sessionCookies) {
            case (true, _), (_, .kept): return Saved(cookie: cookie)
            case (_, .leftOut): return nil
            case (_, .given(let lifetime)):
                return Saved(cookie: cookie.with(expires: now + min(lifetime, Cookie.ageLimit)))
            }
        }
    }

    /// Refuses what a newer version has written; a cookie that cannot be read costs itself alone.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        guard (1...Self.currentVersion).contains(version) else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "the cookies were saved by a newer version")
        }
        cookies = try container.decode([Saved].self, forKey: .cookies)
    }

    /// What came back.
    public struct Restored: Sendable {
        /// With every cookie that is not over.
        public let jar: CookieJar
        /// What was over.
        public let expired: [Cookie.Identity]
        /// How many could not be read, or may not be: they are left out, and the others are there.
        public let damagedCount: Int
    }

    /// The jar, with what is not over by now.
    ///
    ///     let restored = archive.restore(at: now)
    ///     print(restored.jar.all.count, "cookies,", restored.damagedCount, "could not be read")
    public func restore(policy: CookiePolicy = CookiePolicy(), at now: Timestamp) -> Restored {
        var jar = CookieJar(policy: policy)
        let cookies = cookies.compactMap(\.cookie)
        for cookie in cookies where !cookie.isExpired(at: now) { jar.insert(cookie, at: now) }
        return Restored(
            jar: jar, expired: cookies.filter { $0.isExpired(at: now) }.map(\.identity),
            damagedCount: self.cookies.count - cookies.count)
    }

    /// One that cannot be read costs itself and not the others.
    struct Saved: Codable, Sendable {
        let cookie: Cookie?

        init(cookie: Cookie?) { self.cookie = cookie }

        init(from decoder: any Decoder) throws { cookie = try? Cookie(from: decoder) }

        func encode(to encoder: any Encoder) throws { try cookie?.encode(to: encoder) }
    }
}
