import Cookies
import Primitives
import SessionClient
import Synchronization
import Testing
import WebKitGTKSurface

/// Pages and the cookies that they should have had.
extension OnWebKit {
    @GLibActor @Suite("The barrier before navigation") struct Barrier {
        /// What an app has that does more than sign in: cookies take their time one by one.
        private nonisolated static let cookieCount = 20

        private nonisolated static func cookies(_ value: String) -> [Cookie] {
            (0..<cookieCount).map { .local("part\($0)", value, isHTTPOnly: true) }
        }

        private static func isComplete(_ request: Site.Request?, _ value: String) -> Bool {
            (0..<cookieCount).allSatisfy { request?.cookies["part\($0)"] == value }
        }

        @Test("S5, C1: a page that is gone to while cookies are being written goes out without the last of them")
        func withoutABarrier() async throws {
            try await Site.serving { site in
                let browser = Browser()
                await browser.visit(site.url("/first"))
                var bareCount = 0
                for round in 1...10 {
                    let count = browser.loads.count
                    browser.surface.apply(Self.cookies("\(round)").map(CookieChange.set)) {}
                    browser.surface.load(site.url("/\(round)"))
                    await browser.loaded(count + 1)
                    if !Self.isComplete(site.requests("/\(round)").first, "\(round)") { bareCount += 1 }
                }
                seen(
                    "S5",
                    "\(bareCount) of 10 pages went out without all of their \(Self.cookieCount) cookies, where nobody waited"
                )
                #expect(bareCount > 0, "the engine was faster than the page each time: this test shows nothing")
            }
        }

        @Test("S5: a write is visible to the next page, and to whoever reads, when the engine says that it is done")
        func afterTheCompletion() async throws {
            try await Site.serving { site in
                let browser = Browser()
                for round in 1...10 {
                    await browser.apply(Self.cookies("\(round)").map(CookieChange.set))
                    #expect(await browser.cookies().allSatisfy { $0.value == "\(round)" })
                    await browser.visit(site.url("/\(round)"))
                    #expect(Self.isComplete(site.requests("/\(round)").first, "\(round)"))
                }
            }
        }

        @Test("S5, C1: the bridge goes to a page when its cookies are there: none goes out without")
        func withTheBridge() async throws {
            try await Site.serving { site in
                let browser = Browser()
                let session = SteppingSession { Self.cookies("\($0)") }
                let bridge = WebSessionBridge(
                    session: session, surface: browser.surface,
                    configuration: WebBridgeConfiguration(
                        origins: [try #require(WebOrigin(site.origin))], refreshCookies: []),
                    clock: SystemWallClock(), alarm: GLibAlarm())
                for round in 1...10 {
                    session.step()
                    #expect(try await bridge.open(site.url("/\(round)")) == .signedIn)
                    await browser.loaded(round)
                    #expect(Self.isComplete(site.requests("/\(round)").first, "\(round)"))
                }
            }
        }

        @Test("S5: one cookie and a page after it stay in their order in this engine")
        func oneCookieAlone() async throws {
            try await Site.serving { site in
                let browser = Browser()
                await browser.visit(site.url("/first"))
                var bareCount = 0
                for round in 1...10 {
                    let count = browser.loads.count
                    browser.surface.apply([.set(.local("one", "\(round)"))]) {}
                    browser.surface.load(site.url("/\(round)"))
                    await browser.loaded(count + 1)
                    if site.requests("/\(round)").first?.cookies["one"] != "\(round)" { bareCount += 1 }
                }
                seen("S5", "\(bareCount) of 10 pages went out without their one cookie, where nobody waited")
                #expect(await browser.pairs() == ["one=10"])
            }
        }
    }
}

/// A session whose cookies are others with each step.
private final class SteppingSession: PageSession {
    private let cookies: @Sendable (UInt64) -> [Cookie]
    private let state = Mutex<(generation: UInt64, listeners: [AsyncStream<PageCookies>.Continuation])>((0, []))

    init(_ cookies: @escaping @Sendable (UInt64) -> [Cookie]) { self.cookies = cookies }

    private var current: PageCookies {
        let generation = state.withLock { $0.generation }
        return PageCookies(generation: generation, isSignedIn: true, cookies: cookies(generation))
    }

    func step() {
        let listeners = state.withLock { state in
            state.generation += 1
            return state.listeners
        }
        for listener in listeners { listener.yield(current) }
    }

    func pageCookies() async throws(PageSessionError) -> PageCookies { current }

    func pageCookies(replacing generation: UInt64) async throws(PageSessionError) -> PageCookies { current }

    var pageCookieUpdates: AsyncStream<PageCookies> {
        let (stream, continuation) = AsyncStream.makeStream(of: PageCookies.self)
        state.withLock { $0.listeners.append(continuation) }
        return stream
    }
}
