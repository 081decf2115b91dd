import Primitives

/// `pawl version`
enum VersionCommand {
    static let command = Command(
        "version", "Print the version", options: [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        let text =
            invocation.arguments[CommonOptions.json]
            ? JSON.object(["name": "pawl", "version": .string(Version.current)]).text() : "pawl \(Version.current)"
        try invocation.console.print(text)
    }
}

/// Which pawl this is (https://semver.org).
enum Version {
    static let current = "0.1.0"
}
