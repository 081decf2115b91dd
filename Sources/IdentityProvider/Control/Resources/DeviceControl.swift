import HTTPMessages
import OAuth
import Primitives

/// Decides for a user whether a device gets its tokens: what he would do on the page.
struct DeviceControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .post, "/device/{user_code}",
                .control("decideDevice", "Decide on a device that waits (RFC 8628 section 3.3).").with(
                    .init("user_code", in: .path, .string(), "As the device shows it; dashes and case do not count.")
                ).takingJSON(
                    .object(
                        [
                            ("user", .string("A username: who decides.")),
                            ("approve", .boolean("True unless it is given.")),
                        ], required: ["user"])
                ).answeringNothing().refusing(
                    (404, "No device shows this code, or its time is over."), (409, "Somebody was faster.")), decide)
        ]
    }

    private func decide(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let body = try request.body()
        try body.allow(["user", "approve"])
        guard let user = context.users[username: try body.requiredText("user")] else {
            throw .invalid(body.place["user"], "there is no such user")
        }
        let approves = try body.flag("approve") ?? true
        let outcome: DeviceVerification.Outcome
        do throws(OAuthError) {
            outcome = try await DeviceVerification.decide(
                userCode: request.parameter("user_code"), as: user, approve: approves, in: context)
        } catch {
            throw ControlError(error)
        }
        switch outcome {
        case .decided: return .none
        case .unknownCode: throw .notFound("no device shows this code, or its time is over")
        case .decidedBefore: throw .conflict("it was decided before")
        }
    }
}
