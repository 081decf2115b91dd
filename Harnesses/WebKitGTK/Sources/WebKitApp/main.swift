// An app with a web view whose cookies are in a directory, for tests that end it and start it again:
//
//     WebKitApp DIRECTORY                  says what the store has, and asks that first of all
//     WebKitApp DIRECTORY visit URL        goes to a page, and says what the store has then
//     WebKitApp DIRECTORY visit URL stay   the same, and stays until it is killed

let arguments = Array(CommandLine.arguments.dropFirst())
guard let directory = arguments.first else { fatalError("which directory?") }
let app = await App(directory)
if arguments.dropFirst().first == "visit", arguments.count > 2 { await app.visit(arguments[2]) }
await app.printCookies()
if arguments.last == "stay" { await app.stay() }
