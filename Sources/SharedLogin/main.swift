// A native app and its other half that share a login, as small as they can be.
//
//     shared-login --issuer http://127.0.0.1:8080 --client native --store ./login --seconds 60
//
// Start it twice on one directory into which somebody has signed in, kill one of them as often as you like, and nobody is
// signed out.

import Glibc

func argument(_ name: String) throws(Problem) -> String {
    guard let index = CommandLine.arguments.firstIndex(of: name), index + 1 < CommandLine.arguments.count else {
        throw Problem("usage: shared-login --issuer URL --client ID --store DIRECTORY --seconds N; \(name) is missing")
    }
    return CommandLine.arguments[index + 1]
}

do {
    guard let seconds = Int(try argument("--seconds")), seconds > 0 else { throw Problem("--seconds is a number") }
    let worker = Worker(
        issuer: try argument("--issuer"), clientID: try argument("--client"), directory: try argument("--store"),
        seconds: seconds)
    try await worker.run()
} catch {
    let line = Array("\(error)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}
