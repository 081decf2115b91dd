/// A command about to run: what it was given and where it writes.
struct Invocation: Sendable {
    let arguments: Arguments
    let console: Console
}
