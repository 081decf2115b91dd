import Primitives

// MARK: - Sign-in

extension SessionManager {
    /// Keeps what a login has brought. Whatever is stored gives way to it, and a refresh of the session before that is still on its
    /// way comes to nothing (R6).
    @discardableResult
    package func signIn(_ grant: TokenGrant, dpopKey: Secret? = nil) async throws(SessionError) -> AccessToken {
        let credential = Credential(
            grant, dpopKey: dpopKey, ahead: configuration.ahead, chance: Double(random.bytes(1)[0]) / 255)
        let stored = try await put { epoch in SessionRecord(epoch: epoch, content: .signedIn(credential)) }
        show(.active(SessionInfo(stored, credential)))
        return AccessToken(
            secret: credential.accessToken, type: credential.tokenType, mark: stored.mark, expires: credential.expires)
    }

    /// The same, with what a login of this library has brought. What a grant does not say of its scope is what was asked for.
    @discardableResult
    package func signIn(_ login: CompletedLogin) async throws(SessionError) -> AccessToken {
        var grant = login.grant
        if grant.scope == nil { grant.scope = login.requestedScope }
        var key: Secret?
        do { key = try login.proofKey?.pem() } catch {
            throw .store(.failed(reason: "the key of the session cannot be written"))
        }
        return try await signIn(grant, dpopKey: key)
    }

    /// Writes a record of a new epoch over whatever there is.
    private func put(_ record: (UInt64) -> SessionRecord) async throws(SessionError) -> StoredRecord {
        do throws(SessionStoreError) {
            while true {
                let (version, epoch) = try await latest()
                let next = record(epoch + 1)
                guard case .written(let written) = try await records.write(next, over: version) else { continue }
                let stored = StoredRecord(version: written, record: next)
                forgetUnsaved()
                adopt(stored)
                return stored
            }
        } catch {
            if case .locked = error { show(.locked) }
            throw .store(error)
        }
    }

    /// The version to write over, and the epoch that is to end. Of a record that cannot be read the epoch is unknown, and never more
    /// than the version: each epoch began with a write.
    private func latest() async throws(SessionStoreError) -> (version: UInt64?, epoch: UInt64) {
        do throws(SessionStoreError) {
            let found = try await records.read()
            return (found?.version, found?.record.epoch ?? 0)
        } catch {
            guard case .corrupt = error, let version = try await records.store.latestVersion() else { throw error }
            return (version, version)
        }
    }
}

// MARK: - Sign-out

extension SessionManager {
    /// Ends the session. What is stored says so before anybody is asked, and stays: no copy, no late answer and no other process
    /// brings it back (S22). Then the server is told, as far as it can be.
    package func signOut() async throws(SessionError) {
        let former = try? await stored()
        let signOut = SignOut(.user, at: clock.now())
        _ = try await put { epoch in SessionRecord(epoch: epoch, content: .signedOut(signOut)) }
        show(.signedOut(signOut))
        if let credential = former?.record.credential, credential.refreshToken != nil {
            await server.revoke(credential)
        }
    }
}
