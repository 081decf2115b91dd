import Cookies
import Primitives

/// What a bridge is told.
enum BridgeInput: Sendable {
    /// The session has this state.
    case session(PageCookies)
    case answered(BridgeFlight, Result<PageCookies, PageSessionError>)
    case open(id: UInt64, url: String)
    case giveUpOpening(id: UInt64)
    /// The store has answered the look of this step.
    case read(step: UInt64, WebCookies)
    /// The store says that the write of this step is done.
    case applied(step: UInt64)
    case cookiesChanged
    case contentProcessTerminated
    case message(id: UInt64, origin: WebOrigin?, isMainFrame: Bool, body: JSON)
    case rang(BridgeTimer)
    case close
}

/// What a bridge does, in this order.
enum BridgeAction: Hashable, Sendable {
    case ask(BridgeFlight)
    case read(step: UInt64)
    case apply(step: UInt64, [CookieChange])
    case observe
    case load(String)
    case reload
    case reply(id: UInt64, ScriptReply)
    case finishOpening(id: UInt64, Result<PageState, WebBridgeError>)
    case ring(BridgeTimer, after: Duration)
    case disconnect
}

enum BridgeTimer: Hashable, Sendable {
    case step(UInt64)
    case opening(UInt64)
    case session(UInt64)
    case message(UInt64)
    /// When so many changes had been heard of.
    case observer(UInt64)
}

/// One question to the session. It goes on when nobody waits for it any more, for what it brings is stored all the same.
struct BridgeFlight: Hashable, Sendable {
    let id: UInt64
    /// `nil`: whatever the session has, refreshed where that is due.
    let replacing: UInt64?
    /// Which state was known then.
    let known: UInt64?
}
