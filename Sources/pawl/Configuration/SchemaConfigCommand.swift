import IdentityProvider
import Primitives

/// `pawl config schema`
enum SchemaConfigCommand {
    static let command = Command(
        "schema", "Print the JSON Schema of configuration files",
        discussion: ["Draft 2020-12. An editor that knows it completes and checks as one types."]
    ) { (invocation) async throws(CommandFailure) in
        try invocation.console.print(JSON.object(ConfigurationSchema.json).text(pretty: true), terminator: "")
    }
}
