// Why an app and the web view inside it sign their user out by accident, and how they do not.
//
//     make demo
//
// It starts a provider of its own, and needs nothing else. WithoutLibrary/ has an app as it is often written, WithLibrary/ one
// that has adopted the library: read WithLibrary/LibraryApp.swift to see how much that is.

import Glibc
import Primitives

let console = Console.standard()
do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        console.print(Options.help)
        exit(0)
    }
    let report = try await Demonstration(options, console).run()
    if options.wantsJSON { console.print(report.json.text(pretty: true)) }
    exit(report.hasShownBoth ? 0 : 1)
} catch let error as UsageError {
    console.complain("\(error)\nSee: SignOutDemo --help")
    exit(2)
} catch {
    console.complain("\(error)")
    exit(1)
}
