import Cookies
import Primitives
import Synchronization

/// Where the cookies that persist are between two launches of an app.
package final class SimulatedWebDisk: Sendable {
    private let saved = Mutex<[Cookie]>([])

    package init() {}

    package var cookies: [Cookie] { saved.withLock { $0 } }

    func save(_ cookies: [Cookie]) {
        saved.withLock { $0 = cookies }
    }

    /// The app is deleted: its web data goes with it, and its Keychain does not.
    package func deleteApp() {
        saved.withLock { $0 = [] }
    }
}
