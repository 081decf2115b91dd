import IdentityProvider
import OAuth
import Primitives

extension TestIdentityProvider {
    /// What may change while the provider runs, by the names of a configuration file. Durations are seconds, secrets null.
    ///
    ///     let rotation = idp.settings["rotation"]?.string         // strict
    public var settings: [String: JSONValue] {
        guard case .object(let members) = JSONValue(SettingsDesk(context: context).json) else { return [:] }
        return members
    }

    /// Changes some of the settings: all that are given, or none. What is left out stays. It holds from the next request on,
    /// until ``reset()``.
    ///
    ///     try await idp.changeSettings(["rotation": "okta,window=5s", "access_tokens": ["lifetime": "1s"]])
    public func changeSettings(_ settings: [String: JSONValue]) async throws(IdentityProviderTestingError) {
        do throws(OAuthError) { try await SettingsDesk(context: context).change(JSONObject(settings)) } catch {
            throw IdentityProviderTestingError(.badConfiguration, error.publicDescription)
        }
    }
}
