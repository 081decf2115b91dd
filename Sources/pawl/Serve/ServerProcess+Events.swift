import IdentityProvider
import Networking
import Observability
import Primitives

/// What happens to a server while it runs: time passes, and signals come.
extension ServerProcess {
    /// Makes keys when it is time to, and reads the directory again whenever another key has taken over: tokens may have
    /// been signed there with the one before, until then. Goes on for as long as the task is not cancelled.
    func startKeyCare() -> Task<Void, Never> {
        let interval = arguments[ProviderOptions.rotation]
        return Task { [self] in
            var signing = keys.signingKeyID
            while true {
                do { try await Task.sleep(for: keys.pause(rotatingEvery: interval)) } catch { return }
                let signsNow = keys.signingKeyID
                if signsNow != signing, keys.store != nil { await reloadKeys() }
                signing = signsNow
                guard let interval, keys.nextRotation(every: interval) <= clock.now() else { continue }
                guard await !rotateKeys() else { continue }
                do { try await Task.sleep(for: min(interval, ServerKeys.longestPause)) } catch { return }
            }
        }
    }

    /// Says whether there is a new key.
    private func rotateKeys() async -> Bool {
        do throws(KeyStoreError) {
            let keyID = try await BlockingWork.run { [keys] () throws(KeyStoreError) in try keys.rotate() }
            logger.info("key published", [LogField("kid", keyID)])
            return true
        } catch {
            logger.error("no new key", [LogField("reason", error.failure.message)])
            return false
        }
    }

    /// Looks at an automatic certificate every day: it is made anew before it expires.
    private func startRenewal(_ server: HTTPServer) -> Task<Void, Never>? {
        guard listeners.localAuthority != nil else { return nil }
        return Task {
            while true {
                do { try await Task.sleep(for: .seconds(86_400)) } catch { return }
                await reloadTLS(server)
            }
        }
    }

    /// Returns when the process has been told to end, with the work that has been begun.
    func serve(
        _ server: HTTPServer, _ provider: IdentityProvider, until signals: SignalSource
    ) async -> Task<Void, Never> {
        let renewal = startRenewal(server)
        defer { renewal?.cancel() }
        var reloading = Task {}
        for await signal in signals.signals {
            guard signal == .hangUp else { break }
            // One after the other, and without keeping the next signal waiting.
            reloading = Task { [before = reloading] in
                await before.value
                await reloadSettings(of: provider)
                await reloadTLS(server)
                await reloadAuthorities(of: provider)
                await reloadKeys()
            }
        }
        return reloading
    }

    /// What cannot be read again stays as it is.
    private func reloadTLS(_ server: HTTPServer) async {
        guard listeners.hasTLS else { return }
        do throws(NetworkingError) {
            try await server.reloadTLS()
            logger.info("certificate read again")
        } catch {
            return logger.error("the certificate stays as it was", [LogField("reason", error.description)])
        }
        if let authority = listeners.localAuthority, authority.isNew {
            logger.warning("the local authority is a new one", [LogField("trust", authority.authorityPath)])
        }
    }

    /// Those that servers are judged by which the provider asks. What cannot be read again stays as it is.
    private func reloadAuthorities(of provider: IdentityProvider) async {
        guard let outbound = provider.root.context.outbound as? OutboundClient else { return }
        do throws(NetworkingError) {
            try await outbound.readAuthoritiesAgain()
        } catch {
            logger.error("the authorities stay as they were", [LogField("reason", error.description)])
        }
    }

    /// What cannot be read again stays as it is.
    private func reloadKeys() async {
        do throws(KeyStoreError) {
            let added = try await BlockingWork.run { [keys] () throws(KeyStoreError) in try keys.reload() }
            logger.info("keys read again", [LogField("new", added.joined(separator: " "))])
        } catch {
            logger.error("the keys stay as they were", [LogField("reason", error.failure.message)])
        }
    }

    /// Lets running requests finish, and the work that has been begun; another signal ends the process at once.
    func end(_ server: HTTPServer, _ signals: SignalSource, after work: [Task<Void, Never>]) async {
        await Draining(arguments: arguments, logger: logger).drain(server, signals) { _ in
            for task in work { await task.value }
            do throws(KeyStoreError) {
                _ = try await BlockingWork.run { [keys] () throws(KeyStoreError) in try keys.reload() }
            } catch {
                logger.error("the keys could not be kept", [LogField("reason", error.failure.message)])
            }
        }
    }
}
