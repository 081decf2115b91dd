import IdentityProvider
import Primitives

/// `pawl rotation explain NAME`
enum ExplainRotationCommand {
    static let command = Command(
        "explain", "Show every knob of a profile, and where each figure is known from",
        discussion: ["Knobs may be turned as for 'pawl serve --rotation': it shows what comes of that."],
        examples: [
            Command.Example(line: "pawl rotation explain okta,window=5s", meaning: "Okta's rules with a shorter window")
        ],
        options: [CommonOptions.json.row],
        operands: [
            Operand(
                "NAME", "The name of a profile, and perhaps knobs: okta, or okta,window=5s.",
                completion: .oneOf(RotationPolicy.profileNames))
        ]
    ) { (invocation) async throws(CommandFailure) in
        let policy: RotationPolicy
        do throws(RotationPolicy.TextError) {
            policy = try RotationPolicy(parsing: invocation.arguments.operands[0])
        } catch {
            throw .usage(error.description)
        }
        guard let profile = RotationProfile.named(policy.profile) else { return }
        if invocation.arguments[CommonOptions.json] {
            try invocation.console.print(JSON.object(RotationDescription.json(of: policy, in: profile)).text())
        } else {
            try invocation.console.print(RotationDescription.text(of: policy, in: profile), terminator: "")
        }
    }
}
