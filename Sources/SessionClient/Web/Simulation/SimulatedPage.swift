import Cookies
import HTTPMessages
import Primitives
import Synchronization

/// A page that was loaded, with what its scripts can do.
///
///     page.setDocumentCookie("theme=dark; Path=/")
///     if await page.fetch("https://app.example/api")?.status == 401 {
///         print(await page.post(["type": "refresh"]))
///     }
public final class SimulatedPage: Sendable {
    /// What came back for a request.
    public struct Answer: Hashable, Sendable {
        /// The status code.
        public let status: Int
        /// What came with it.
        public let body: [UInt8]
    }

    /// How a message to the app ended, for the page.
    public enum Outcome: Hashable, Sendable {
        case replied(ScriptReply)
        /// The page went away before: its promise is never settled, and nobody is left to notice.
        case pageGone
    }

    /// Where it was loaded from.
    public let url: String
    /// What its own request got.
    public let answer: Answer
    private let view: SimulatedWebView

    private struct State {
        var isHere = true
        var promises: [Promise] = []
    }
    private let state = Mutex(State())

    init(url: String, answer: Answer, view: SimulatedWebView) {
        self.url = url
        self.answer = answer
        self.view = view
    }

    /// Whether the page is still in the web view.
    public var isHere: Bool { state.withLock { $0.isHere } }

    /// How often each of its messages was answered, in their order.
    public var replyCounts: [Int] { state.withLock { $0.promises }.map(\.replyCount) }

    /// `document.cookie`: without what is HttpOnly.
    public var documentCookie: String {
        guard isHere, let context else { return "" }
        let now = view.environment.clock.now()
        return view.store.state.withLock { $0.jar.field(for: context, at: now) } ?? ""
    }

    /// `document.cookie = …`. What a script may not set is dropped without a word.
    public func setDocumentCookie(_ text: String) {
        guard isHere, let context else { return }
        view.store.change { jar, now in _ = try? jar.receive(text, from: context, at: now) }
    }

    private var context: CookieContext? {
        CookieURL(url).map { CookieContext(url: $0, access: .script) }
    }

    /// `fetch(url, {method})`; `nil`: there was no answer.
    ///
    ///     let answer = await page.fetch("https://app.example/session/refresh", method: .post)
    public func fetch(_ url: String, method: HTTPRequest.Method = .get) async -> Answer? {
        isHere ? await view.request(url, method, from: WebOrigin(self.url)) : nil
    }

    /// Who says something to the app.
    public enum Sender: Hashable, Sendable {
        /// The page itself.
        case page
        /// The main frame, after it went to another origin by itself.
        case mainFrame(WebOrigin?)
        /// A frame in it, of this origin.
        case innerFrame(WebOrigin?)
    }

    /// `postMessage(body)`, from this page or from a frame in it.
    public func post(_ body: JSON, from sender: Sender = .page) async -> Outcome {
        let promise = Promise()
        let isHere = state.withLock { state in
            if state.isHere { state.promises.append(promise) }
            return state.isHere
        }
        guard isHere else { return .pageGone }
        let (origin, isMainFrame) =
            switch sender {
            case .page: (WebOrigin(url), true)
            case .mainFrame(let origin): (origin, true)
            case .innerFrame(let origin): (origin, false)
            }
        let message = ScriptMessage(origin: origin, isMainFrame: isMainFrame, body: body) {
            promise.settle(.replied($0))
        }
        view.environment.alarm.ring(after: .zero) { [view] in view.tell(.message(message)) }
        return await promise.outcome
    }

    func leave() {
        let promises = state.withLock { state in
            state.isHere = false
            return state.promises
        }
        for promise in promises { promise.settle(.pageGone) }
    }
}

/// The end of a message, once.
private final class Promise: Sendable {
    private struct State {
        var outcome: SimulatedPage.Outcome?
        var waiter: CheckedContinuation<SimulatedPage.Outcome, Never>?
        var replyCount = 0
    }
    private let state = Mutex(State())

    var replyCount: Int { state.withLock { $0.replyCount } }

    func settle(_ outcome: SimulatedPage.Outcome) {
        let waiter = state.withLock { state in
            if case .replied = outcome { state.replyCount += 1 }
            guard state.outcome == nil else { return nil as CheckedContinuation<SimulatedPage.Outcome, Never>? }
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }

    var outcome: SimulatedPage.Outcome {
        get async {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = waiter }
                    return state.outcome
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        }
    }
}
