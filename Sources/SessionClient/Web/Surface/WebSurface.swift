import Cookies

/// What a bridge needs of a web view: its cookie store, which is elsewhere and slow, its pages, and what happens to them.
///
/// Nothing here waits. Whatever takes time says so by a completion, and a completion may never come: whoever calls has to
/// look after the time himself. Calls are taken in the order in which they are made, on any thread; completions and events
/// come on any thread, and never before the call that causes them has returned.
///
///     surface.connect { event in if case .cookiesChanged = event { lookAgain() } }
///     surface.observeCookies()
///     surface.apply([.set(cookie)]) { surface.readCookies { print($0) } }
///     surface.load("https://app.example/")
///     surface.reload()
public protocol WebSurface: Sendable {
    /// What the store of this web view has now.
    func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void)

    /// Changes the store. The completion says that a page which is loaded from now on brings what was written, as far as the
    /// store knows; to be sure, read.
    func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void)

    /// Hands every event to `handler`, in the place of the one before. `nil`: to nobody.
    func connect(_ handler: (@Sendable (WebEvent) -> Void)?)

    /// Has ``WebEvent/cookiesChanged`` come from now on. To call it again does no harm, and mends a registration that the
    /// store has lost.
    func observeCookies()

    /// Goes to an absolute URL. What page stands there, and when, the surface does not say.
    func load(_ url: String)

    /// Loads again what was loaded last.
    func reload()
}

/// An answer of the cookie store. That it has read nothing yet is not that it has nothing: right after the start of an app
/// the two look alike, and whoever takes the one for the other signs the user out.
///
///     surface.readCookies { view in
///         if case .loaded(let cookies) = view { print(cookies.count) } else { lookAgain() }
///     }
public enum WebCookies: Hashable, Sendable {
    case notLoaded
    case loaded([Cookie])
}

/// What happens at a web view without anybody having asked for it.
///
///     surface.connect { event in
///         switch event {
///         case .cookiesChanged: lookAgain()
///         case .contentProcessTerminated: surface.reload()
///         case .message(let message): message.reply(.failure("not allowed"))
///         }
///     }
public enum WebEvent: Sendable {
    /// Something about the cookies is different from before, whoever did it; this side's own writes are no exception.
    case cookiesChanged
    /// The process that had the page in it is gone, and with it the page and whatever of the cookies was still under way.
    case contentProcessTerminated
    case message(ScriptMessage)
}
