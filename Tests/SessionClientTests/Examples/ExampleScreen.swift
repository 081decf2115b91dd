import Synchronization

/// What an app shows, in the examples.
final class ExampleScreen: Sendable {
    private let notes = Mutex<[String]>([])

    var shown: [String] { notes.withLock { $0 } }

    func note(_ text: String) { notes.withLock { $0.append(text) } }
}

/// The examples of the documentation call an app that does nothing but remember.
protocol ExampleApp {
    var screen: ExampleScreen { get }
}

extension ExampleApp {
    func use(_ value: some Any) { screen.note("used") }
    func show(_ state: some Any) { screen.note("\(state)") }
    func showLogin() { screen.note("login") }
    func greet(_ name: String) { screen.note("hello \(name)") }
    func draw(_ text: String) { screen.note(text) }
    func report(_ text: String) { screen.note(text) }
    func tryAgainLater() { screen.note("later") }
    func offerToTryAgain() { screen.note("again?") }
    func askForTheRightTime() { screen.note("what time is it?") }
    func readAgain() { screen.note("read again") }
    func waitForTheDevice() { screen.note("locked") }
}
