import Foundation
import Synchronization
import Testing
import WebKitGTKSurface

/// Everything here runs on one real engine, one test after the other. The name of each test begins with the row of the
/// mission or of the catalogue of races that it shows.
@Suite("On a real WebKit", .serialized) enum OnWebKit {}

/// Says what the engine was seen to do where that is its own choice, and no right or wrong of the library. `make webkit` prints it.
func seen(_ row: String, _ what: String) {
    print("seen: \(row): \(what)")
}

/// A directory that is gone when nobody has it any more.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "pawl-webkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Everything that stands in its files.
    var bytes: Data {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.reduce(into: Data()) { all, name in
            all.append((try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))) ?? Data())
        }
    }
}

/// How often something has happened.
final class Counter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
    func reset() { number.withLock { $0 = 0 } }
}

/// Whether something comes true in a while: for what may not, too.
@GLibActor
func isTrue(within limit: Duration, _ condition: @GLibActor () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { return false }
        await withCheckedContinuation { continuation in
            GLibAlarm().ring(after: .milliseconds(10)) { continuation.resume() }
        }
    }
    return true
}
