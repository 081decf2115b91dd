import Cookies
import Primitives

/// A session as a web view may have it: the cookies of each state but the one that holds the refresh token.
///
///     let pages = SessionPages(session, leavingOut: ["__Secure-refresh"])
///
/// A session whose tokens the app has in its hands has no cookies: `made` says which ones its pages are to have.
///
///     let pages = SessionPages(session, leavingOut: []) { token in
///         [Cookie(name: "__Host-session", value: text(of: token.secret), domain: "app.example", at: clock.now())]
///     }
public struct SessionPages: PageSession {
    private let session: SessionManager
    /// Of those that hold a refresh token: the session's own, where it is kept in cookies, and those that were named.
    public let refreshCookies: [String]
    private let made: (@Sendable (AccessToken) -> [Cookie])?

    /// - Parameters:
    ///   - session: the session that they show.
    ///   - refreshCookies: the names of cookies that stay in the app.
    ///   - made: which cookies a page has while this token is good; `nil`: those that the session is kept in.
    public init(
        _ session: SessionManager, leavingOut refreshCookies: [String] = [],
        made: (@Sendable (AccessToken) -> [Cookie])? = nil
    ) {
        self.session = session
        self.refreshCookies = refreshCookies + session.refreshCookies
        self.made = made
    }

    /// As they are now; refreshed before, where that is due.
    public func pageCookies() async throws(PageSessionError) -> PageCookies {
        do throws(SessionError) { return cookies(of: try await session.current()) } catch {
            throw PageSessionError(error)
        }
    }

    /// Others than those of a state that was refused.
    public func pageCookies(replacing generation: UInt64) async throws(PageSessionError) -> PageCookies {
        do throws(SessionError) {
            let mark = CredentialMark(pageGeneration: generation)
            let stored = try await session.join(.replacing(mark))
            // The page of a login that has ended does not go on under the next. One of nobody's may begin under it.
            guard mark.generation == 0 || stored.record.epoch == mark.epoch else {
                throw SessionError.replacedByAnotherLogin
            }
            return cookies(of: stored)
        } catch {
            throw PageSessionError(error)
        }
    }

    /// Those of the present state, and of each that comes after it.
    public var pageCookieUpdates: AsyncStream<PageCookies> {
        let (stream, continuation) = AsyncStream.makeStream(of: PageCookies.self, bufferingPolicy: .bufferingNewest(8))
        let following = Task {
            var last: UInt64?
            for await state in session.states {
                // What is not known yet, and what is only slow, changes nothing in a web view.
                guard state.saysWhetherSignedIn, let stored = try? await session.stored() else { continue }
                let cookies = cookies(of: stored)
                guard cookies.generation != last else { continue }
                last = cookies.generation
                continuation.yield(cookies)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return stream
    }

    private func cookies(of stored: StoredRecord) -> PageCookies {
        let record = stored.record
        guard let credential = record.credential else {
            return PageCookies(
                generation: stored.mark.pageGeneration, isSignedIn: false, cookies: [], gone: record.gone)
        }
        // One that was adopted has no access token before its first refresh.
        let hasToken = credential.accessToken.count > 0
        let cookies = made.map { hasToken ? $0(AccessToken(credential, stored.mark)) : [] } ?? credential.cookies
        let hidden = cookies.filter { cookie in refreshCookies.contains { sameText($0, cookie.name) } }
        let shown = cookies.filter { cookie in !hidden.contains { $0.identity == cookie.identity } }
        let identities = Set(shown.map(\.identity))
        return PageCookies(
            generation: stored.mark.pageGeneration, login: record.epoch, isSignedIn: true, cookies: shown,
            gone: hidden.map(\.identity) + record.gone.filter { !identities.contains($0) })
    }
}

extension CredentialMark {
    /// One number that grows with each sign-in, sign-out and refresh. A script has numbers of 53 bits: there is room for a million
    /// refreshes of one login, and for more logins than there were seconds since 1970.
    var pageGeneration: UInt64 { epoch << Self.generationBits | min(generation, Self.lastGeneration) }

    init(pageGeneration: UInt64) {
        self.init(epoch: pageGeneration >> Self.generationBits, generation: pageGeneration & Self.lastGeneration)
    }

    private static let generationBits: UInt64 = 20
    private static let lastGeneration: UInt64 = 1 << generationBits - 1
}

extension SessionState {
    fileprivate var saysWhetherSignedIn: Bool {
        switch self {
        case .restoring, .locked: false
        case .signedOut, .active, .offline: true
        }
    }
}

extension PageSessionError {
    fileprivate init(_ error: SessionError) {
        switch error {
        case .signedOut, .replacedByAnotherLogin: self = .signedOut
        default: self = .unavailable(reason: error.description)
        }
    }
}
