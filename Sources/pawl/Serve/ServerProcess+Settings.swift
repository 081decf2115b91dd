import IdentityProvider
import Networking
import Observability
import Primitives

/// What a server was told about the provider: said aloud where it is dangerous, and read again when it has changed.
extension ServerProcess {
    /// What no real provider must allow.
    func warnOfWhatIsAllowed() {
        let settings = settings.current
        for (name, configuration) in [("", settings.root)] + settings.tenants.map({ ($0.key.text, $0.value) }) {
            let place = name.isEmpty ? [] : [LogField("tenant", name)]
            for (allowance, meaning) in Self.allowances where configuration.allowances.contains(allowance) {
                logger.warning(meaning, place)
            }
            if !configuration.legacy.isEmpty {
                let names = configuration.legacy.map(\.rawValue).sorted().joined(separator: " ")
                logger.warning("legacy features are on", place + [LogField("features", names)])
            }
        }
        guard listeners.all.contains(where: \.isReachableFromOutside) else { return }
        if settings.root.clients.contains(where: \.hasKnownSecret)
            || settings.root.users.contains(where: \.hasKnownPassword)
        {
            logger.warning("other machines reach this one, and everybody knows the secrets of its users or clients")
        }
    }

    private static let allowances: [(Allowances, StaticString)] = [
        (.anyClient, "any client is taken as it comes"), (.anyUser, "anybody is taken for a user, with any password"),
        (.automaticLogin, "users are logged in without being asked"),
    ]

    /// What cannot be read again stays as it is.
    func reloadSettings(of provider: IdentityProvider) async {
        guard let file = arguments[UserOptions.configuration], file != "-" else { return }
        do throws(SettingsFailure) {
            let new = try await BlockingWork.run { [settings] () throws(SettingsFailure) in try settings.readAgain() }
            let former = settings.current
            try await reconfigure(provider, to: new)
            settings.replace(by: new)
            warnOfWhatNeedsARestart(former, new)
            warnOfWhatIsAllowed()
            logger.info("configuration read again", [LogField("file", file)])
        } catch {
            let reasons = error.lines.isEmpty ? [error.failure.message] : error.lines
            for reason in reasons { logger.error("the configuration stays as it was", [LogField("reason", reason)]) }
        }
    }

    private func reconfigure(_ provider: IdentityProvider, to new: ProviderSettings) async throws(SettingsFailure) {
        do {
            try await provider.root.context.reconfigure(to: new.root)
            for tenant in provider.knownTenants {
                guard let name = tenant.name else { continue }
                try await tenant.context.reconfigure(to: new.configuration(of: name))
            }
        } catch {
            throw SettingsFailure(lines: [], failure: .badInput("\(error)"))
        }
    }

    private func warnOfWhatNeedsARestart(_ former: ProviderSettings, _ new: ProviderSettings) {
        for name in new.membersThatStay(unlike: former) {
            logger.warning("this counts after the next start only", [LogField("member", name)])
        }
    }
}

extension ServerConfiguration.Listener {
    /// Whether it is bound to more than this machine.
    fileprivate var isReachableFromOutside: Bool {
        guard case .ip(let host, _) = address else { return false }
        return !(host == "localhost" || host == "::1" || host.hasPrefix("127."))
    }
}
