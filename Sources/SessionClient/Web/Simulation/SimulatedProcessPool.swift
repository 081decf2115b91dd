import Primitives

/// The processes behind the web views of one launch of an app. Session cookies live as long as it does.
///
///     let pool = SimulatedProcessPool(disk: disk, environment: environment)
///     let view = SimulatedWebView(store: pool.sharedStore)
///     pool.end()                                                   // the app is killed
///     let next = SimulatedProcessPool(disk: disk, environment: environment)
public final class SimulatedProcessPool: Sendable {
    /// The store that every web view of the app has by default, and every other part of the app can get at.
    public let sharedStore: SimulatedCookieStore
    private let environment: SimulatedWebEnvironment

    /// The app is started: its shared store begins to load what is on the disk.
    public init(disk: SimulatedWebDisk, environment: SimulatedWebEnvironment) {
        sharedStore = SimulatedCookieStore(disk: disk, environment: environment)
        self.environment = environment
    }

    /// A store of its own, of which nothing is ever on a disk.
    ///
    ///     let view = SimulatedWebView(store: pool.privateStore())
    public func privateStore() -> SimulatedCookieStore {
        SimulatedCookieStore(disk: nil, environment: environment)
    }

    /// The app ends, without a chance to do anything.
    public func end() {
        sharedStore.end()
    }
}
