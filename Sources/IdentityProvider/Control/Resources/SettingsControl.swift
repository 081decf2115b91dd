import HTTPMessages
import JOSE
import OAuth
import Primitives

/// What can be changed while the provider runs.
struct SettingsControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/settings", .control("getSettings", "The settings.").answeringJSON(.reference("Settings")),
                { _ in .json(Settings.json(of: context.configuration)) }),
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
        let body = try request.body()
        // Keys are made before anybody needs them, and not within a change, which holds a lock.
        var wanted = context.configuration
        try Settings.apply(body, to: &wanted, .whileRunning)
        do { try await context.prepareKeys(for: wanted.algorithms) } catch {
            throw ControlError(OAuthError(.serverError, "a key could not be made", cause: "\(error)"))
        }
        var refusal: ControlError?
        do throws(ProviderConfigurationError) {
            try context.configure { configuration throws(ProviderConfigurationError) in
                do throws(ControlError) { try Settings.apply(body, to: &configuration, .whileRunning) } catch {
                    refusal = error
                }
            }
        } catch {
            throw .invalid(nil, error.description)
        }
        if let refusal { throw refusal }
        return .json(Settings.json(of: context.configuration))
    }
}
