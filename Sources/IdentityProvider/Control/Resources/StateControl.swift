import HTTPMessages
import OAuth
import Primitives

/// Everything at once.
struct StateControl: ControlResource {
    let reset: @Sendable () async throws(StoreError) -> Void
    let index: @Sendable () -> JSON

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "",
                .control("getControl", "What the control API is here.").answeringJSON(
                    .object(
                        [("tenant", Schema.string().orNull), ("openapi", .string("Where it is described."))],
                        required: ["tenant", "openapi"])), { _ in .json(index()) }),
            ControlRoute(
                .post, "/reset",
                .control(
                    "reset", "Forget everything that has happened.",
                    details:
                        "Users, clients, settings and the clock are those of the configuration again, as it was read last. "
                        + "Keys stay."
                ).answeringNothing(), resetAll),
        ]
    }

    private func resetAll(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        do throws(StoreError) {
            try await reset()
        } catch {
            throw ControlError(OAuthError(.temporarilyUnavailable, "try again in a moment", cause: error.description))
        }
        return .none
    }
}
