import Cookies
import Primitives

// MARK: - Sign-in

extension SessionManager {
    /// Keeps what a login has brought. Whatever is stored gives way to it, and a refresh of the session before that is still on its
    /// way comes to nothing (R6).
    @discardableResult
    package func signIn(_ grant: TokenGrant, dpopKey: Secret? = nil) async throws(SessionError) -> AccessToken {
        let credential = Credential(
            grant, dpopKey: dpopKey, ahead: configuration.ahead, chance: Double(random.bytes(1)[0]) / 255)
        let stored = try await put(.signedIn(credential), credential.cookies)
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
    private func put(
        _ content: SessionRecord.Content, _ cookies: [Cookie]
    ) async throws(SessionError) -> StoredRecord {
        try await replace(content, cookies).stored
    }

    /// The same, and what it was written over.
    private func replace(
        _ content: SessionRecord.Content, _ cookies: [Cookie]
    ) async throws(SessionError) -> (stored: StoredRecord, former: SessionRecord?) {
        do throws(SessionStoreError) {
            while true {
                let former = try await former()
                let next = SessionRecord(
                    epoch: former.epoch + 1, content: content, gone: former.record?.gone(with: cookies) ?? [])
                let outcome =
                    former.isDamaged
                    ? try await records.writeOverDamage(next) : try await records.write(next, over: former.version)
                guard case .written(let written) = outcome else { continue }
                let stored = StoredRecord(version: written, record: next)
                let late = forgetUnsaved()
                adopt(stored)
                return (stored, late?.record ?? former.record)
            }
        } catch {
            if case .locked = error { show(.locked) }
            throw .store(error)
        }
    }

    /// What a new epoch comes after.
    private struct Former {
        var version: UInt64?
        var epoch: UInt64 = 0
        var record: SessionRecord?
        /// Whether the store cannot tell even the version.
        var isDamaged = false
    }

    private func former() async throws(SessionStoreError) -> Former {
        // Nobody knows the epoch of what is damaged: the seconds since 1970 are more than there were sign-ins.
        let beyond = UInt64(max(0, clock.now().secondsSinceEpoch))
        let entry: StoredEntry?
        do throws(SessionStoreError) { entry = try await records.store.read() } catch {
            guard case .corrupt = error else { throw error }
            return Former(epoch: beyond, isDamaged: true)
        }
        // Somebody may have emptied it, and what began before that must not find its own epoch again.
        guard let entry else { return Former(epoch: beyond) }
        guard let record = try? SessionRecord(encoded: entry.payload) else {
            return Former(version: entry.version, epoch: beyond)
        }
        return Former(version: entry.version, epoch: record.epoch, record: record)
    }
}

// MARK: - Sign-out

extension SessionManager {
    /// Ends the session. What is stored says so before anybody is asked, and stays: no copy, no late answer and no other process
    /// brings it back (S22). Then the server is told, as far as it can be.
    package func signOut() async throws(SessionError) {
        let signOut = SignOut(.user, at: clock.now())
        let (stored, former) = try await replace(.signedOut(signOut), [])
        show(.signedOut(signOut))
        // Once more, for a store may keep the version before the last, and that is the one with the tokens.
        _ = try? await records.write(stored.record, over: stored.version)
        if let credential = former?.credential { await giveBack(credential) }
    }
}
