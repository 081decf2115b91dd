import Primitives

/// `pawl token inspect`
enum InspectTokenCommand {
    static let command = Command(
        "inspect", "Show what a token says, without verifying it",
        discussion: [
            "Nothing of what is shown is proven: anybody can have written the token. 'pawl token verify' proves it."
        ],
        options: [CommonOptions.json.row], operands: [TokenOperand.operand]
    ) { (invocation) async throws(CommandFailure) in
        let token = try TokenOperand.read(invocation.arguments.operands[0])
        let contents: TokenContents
        do throws(TokenContents.Problem) {
            contents = try TokenContents(token)
        } catch {
            throw .badInput("this is no signed token: \(error.reason)")
        }
        let now = SystemWallClock().now()
        if invocation.arguments[CommonOptions.json] {
            return try invocation.console.print(JSON.object(contents.description(at: now)).text())
        }
        invocation.console.complain("NOT VERIFIED: anybody can have written this.")
        try invocation.console.print(contents.text(at: now), terminator: "")
    }
}
