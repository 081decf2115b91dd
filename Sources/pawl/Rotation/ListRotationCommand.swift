import IdentityProvider
import Primitives

/// `pawl rotation list`
enum ListRotationCommand {
    static let command = Command(
        "list", "List the profiles: whose rules they are, and what becomes of a token that comes back",
        options: [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        if invocation.arguments[CommonOptions.json] {
            let profiles = RotationProfile.all.map { JSON.object(RotationDescription.json(of: $0.policy, in: $0)) }
            try invocation.console.print(JSON.object(["profiles": .array(profiles)]).text())
        } else {
            try invocation.console.print(table, terminator: "")
        }
    }

    private static let columns = ["rotate", "replay", "ancestors", "window", "count", "revoke"]

    private static var table: String {
        let head = ["PROFILE"] + columns.map { $0.uppercased() } + ["WHOSE"]
        let rows = RotationProfile.all.map { profile in
            [profile.name] + columns.map { RotationKnob.named($0)?.write(profile.policy) ?? "" } + [profile.summary]
        }
        return TextTable([head] + rows).text
    }
}
