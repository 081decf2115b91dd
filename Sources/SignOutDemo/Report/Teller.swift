import IdentityProviderTesting
import Synchronization

/// Tells what happens while it happens, and nothing where a program is to read the end alone.
final class Teller: Sendable {
    private let stage: Stage
    /// `nil`: nobody is to be told.
    private let console: Console?
    private let shownCount = Mutex(0)

    init(_ stage: Stage, _ console: Console?) {
        self.stage = stage
        self.console = console
    }

    func head(_ text: String) { console?.print("\n" + text, .heading) }

    func say(_ text: String, _ colour: Console.Colour? = nil) { console?.print("   " + text, colour) }

    func tick(_ isGood: Bool) { console?.print(isGood ? "." : "x", isGood ? .good : .bad, terminator: "") }

    func beginTicks() { console?.print("   ", terminator: "") }

    func endTicks() { console?.print() }

    /// A new half: nothing of the one before is told again.
    func begin() {
        stage.idp.forgetRequests()
        shownCount.withLock { $0 = 0 }
    }

    /// Every refresh of this half, in the order of their answers.
    var refreshes: [Refresh] {
        get async throws { Refresh.all(in: stage.idp.requests, endReason: try await stage.endReason) }
    }

    /// Those that were not shown yet; of many the last ones.
    func showRefreshes(last limit: Int = .max) async throws {
        let all = try await refreshes
        let shown = shownCount.withLock { count in
            defer { count = all.count }
            return count
        }
        let new = all[shown...]
        if new.count > limit { console?.print("      …", .quiet) }
        for refresh in new.suffix(limit) { console?.print("      " + refresh.line, refresh.isRefused ? .bad : .quiet) }
    }
}
