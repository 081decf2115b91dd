import HTTPMessages
import Primitives

/// What can be changed while the provider runs.
struct SettingsControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/settings", .control("getSettings", "The settings.").answeringJSON(.reference("Settings")),
                { _ in .json(SettingsDesk(context: context).json) }),
            ControlRoute(
                .patch, "/settings",
                .control(
                    "changeSettings", "Change some of them: all that are given, or none.",
                    details:
                        "What is left out stays. It holds from the next request on; tokens that are out keep their time."
                ).takingJSON(.reference("Settings")).answeringJSON(.reference("Settings")), change),
        ]
    }

    private func change(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let desk = SettingsDesk(context: context)
        try await desk.change(try request.body())
        return .json(desk.json)
    }
}
