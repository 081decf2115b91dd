import Cookies
import Primitives
import SessionClient

/// A strategy at work, with an app that signs in and out.
final class Contender {
    let strategy: WebStrategy
    let world: WebWorld
    let native: NativeCookies
    let session: PageSessionFake
    private(set) var surface: RecordingSurface
    private(set) var side: any WebSide
    private var number = 0

    init(_ strategy: WebStrategy, seed: UInt64 = 1, _ change: (inout SimulatedWebBehaviour) -> Void = { _ in }) {
        self.strategy = strategy
        world = WebWorld(seed: seed, change)
        native = NativeCookies(clock: world.time)
        session = world.session(signedIn: false)
        surface = RecordingSurface(world.view)
        side = Contender.begin(strategy, world, native, session, surface)
    }

    private static func begin(
        _ strategy: WebStrategy, _ world: WebWorld, _ native: NativeCookies, _ session: PageSessionFake,
        _ surface: RecordingSurface
    ) -> any WebSide {
        strategy.begin(
            WebSides(
                native: native, surface: surface, session: session, configuration: WebWorld.configuration,
                clock: world.time, alarm: world.time, launch: world.time.launch))
    }

    /// The app is killed and started again; its own cookies were saved.
    func relaunch() {
        side.close()
        world.view.store.flush()
        world.relaunch()
        surface = RecordingSurface(world.view)
        side = Contender.begin(strategy, world, native, session, surface)
    }

    func cookie(_ number: Int) -> Cookie {
        world.cookie("session", "access-\(number)", expiresIn: .seconds(86_400))
    }

    /// The app signs in, or gets a new cookie instead of the one it has.
    func signIn() {
        number += 1
        guard strategy != .nativeOwned else { return session.signIn() }
        world.site.accept("access-\(number)")
        side.nativeReceived([.set(cookie(number))])
    }

    func signOut() {
        guard strategy != .nativeOwned else { return session.signOut() }
        world.site.accept()
        side.nativeReceived([.expire(PageSessionFake.identity)])
    }

    func pass(_ duration: Duration) { world.time.pass(duration) }

    @discardableResult
    func open() -> Int? {
        let side = side
        _ = world.time.result { try? await side.open(WebWorld.page) }
        pass(.milliseconds(500))
        return world.view.page?.answer.status
    }

    var webValue: String? { world.view.store.cookies.first { $0.name == "session" }?.value }

    var nativeValue: String? {
        let side = side
        return world.time.result { await side.nativeCookies() }?.first { $0.name == "session" }?.value
    }
}
