import Primitives

/// The processes behind the web views of one launch of an app. Session cookies live as long as it does.
///
///     let pool = SimulatedProcessPool(disk: disk, environment: environment)
///     let view = SimulatedWebView(store: pool.sharedStore)
///     pool.end()                                                   // the app is killed
///     let next = SimulatedProcessPool(disk: disk, environment: environment)
package final class SimulatedProcessPool: Sendable {
    /// The store that every web view of the app has by default, and every other part of the app can get at.
    package let sharedStore: SimulatedCookieStore
    private let environment: SimulatedWebEnvironment

    package init(disk: SimulatedWebDisk, environment: SimulatedWebEnvironment) {
        sharedStore = SimulatedCookieStore(disk: disk, environment: environment)
        self.environment = environment
    }

    /// A store of its own, of which nothing is ever on a disk.
    package func privateStore() -> SimulatedCookieStore {
        SimulatedCookieStore(disk: nil, environment: environment)
    }

    /// The app ends, without a chance to do anything.
    package func end() {
        sharedStore.end()
    }
}
