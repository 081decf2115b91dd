import Cookies
import Primitives
import Synchronization

/// Where the cookies that persist are between two launches of an app.
///
///     let disk = SimulatedWebDisk()
///     let pool = SimulatedProcessPool(disk: disk, environment: environment)
///     disk.deleteApp()
public final class SimulatedWebDisk: Sendable {
    private let saved = Mutex<[Cookie]>([])

    /// A device on which nothing was saved yet.
    public init() {}

    /// What would be there after a restart.
    public var cookies: [Cookie] { saved.withLock { $0 } }

    func save(_ cookies: [Cookie]) {
        saved.withLock { $0 = cookies }
    }

    /// The app is deleted: its web data goes with it, and its Keychain does not.
    public func deleteApp() {
        saved.withLock { $0 = [] }
    }
}
