import JOSE
import OAuth
import Primitives

/// Tells and changes what may change while the provider runs: for the control API, and for whoever has the provider in its
/// own process.
package struct SettingsDesk: Sendable {
    private let context: ProviderContext

    package init(context: ProviderContext) {
        self.context = context
    }

    package var json: JSON { Settings.json(of: context.configuration) }

    /// All that the object says, or, when something in it is wrong, nothing.
    package func change(_ object: JSONObject) async throws(OAuthError) {
        do throws(ControlError) { try await change(ControlMembers(object)) } catch {
            let place = error.path.map { "\($0): " } ?? ""
            throw OAuthError(.invalidRequest, place + error.description)
        }
    }

    func change(_ body: ControlMembers) async throws(ControlError) {
        // Keys are made before anybody needs them, and not within a change, which holds a lock.
        var wanted = context.configuration
        try Settings.apply(body, to: &wanted, .whileRunning)
        do throws(KeySupplyError) { try await context.prepareKeys(for: wanted.algorithms) } catch {
            throw ControlError(error, "nothing was changed")
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
    }
}
