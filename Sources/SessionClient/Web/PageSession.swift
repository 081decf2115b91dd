import Cookies

/// The side of a session that a bridge to a web view needs: what a page of the session has to have to be signed in. The
/// refresh token is no part of it.
///
///     let cookies = try await pages.pageCookies()
///     let newer = try await pages.pageCookies(replacing: cookies.generation)
///     for await state in pages.pageCookieUpdates { print(state.generation, state.isSignedIn) }
public protocol PageSession: Sendable {
    /// What a page may have now; refreshed before, where that is due.
    func pageCookies() async throws(PageSessionError) -> PageCookies

    /// The same, where a page was refused with what it had: refreshes, unless `generation` has been replaced already. The login
    /// of that generation has ended where somebody has signed in since: ``PageSessionError/signedOut``.
    func pageCookies(replacing generation: UInt64) async throws(PageSessionError) -> PageCookies

    /// The names of cookies that hold a refresh token: a bridge puts none of them into a web view, and takes out what it finds.
    var refreshCookies: [String] { get }

    /// Each new state after it was stored, the present one first.
    var pageCookieUpdates: AsyncStream<PageCookies> { get }
}

extension PageSession {
    /// None: nothing of the session is kept in cookies, but what was made for its pages.
    public var refreshCookies: [String] { [] }
}

/// The cookies of one state of a session, to be put into a web view.
///
///     let nobody = PageCookies(generation: 2, isSignedIn: false, cookies: [], gone: [cookie.identity])
public struct PageCookies: Hashable, Sendable {
    /// Grows with each state, also with sign-in and sign-out: what is older never goes over what is newer.
    public let generation: UInt64
    /// Whose they are: another number for each sign-in.
    public let login: UInt64
    /// Whether somebody is.
    public let isSignedIn: Bool
    /// What the page has. Never the refresh token.
    public let cookies: [Cookie]
    /// What must not be there: deletions travel like everything else.
    public let gone: [Cookie.Identity]

    /// For a ``PageSession`` of one's own.
    public init(
        generation: UInt64, login: UInt64 = 0, isSignedIn: Bool, cookies: [Cookie], gone: [Cookie.Identity] = []
    ) {
        self.generation = generation
        self.login = login
        self.isSignedIn = isSignedIn
        self.cookies = cookies
        self.gone = gone
    }
}

/// Why a page gets no cookies.
///
///     do throws(PageSessionError) {
///         use(try await pages.pageCookies())
///     } catch {
///         if error == .signedOut { showLogin() }
///     }
public enum PageSessionError: Error, Hashable, Sendable {
    /// Nobody is signed in.
    case signedOut
    /// The session is there, and cannot be read or refreshed now.
    case unavailable(reason: String)
}
