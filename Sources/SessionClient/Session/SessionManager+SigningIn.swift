import Cookies
import OAuth
import Primitives

// MARK: - Sign-in

extension SessionManager {
    /// Keeps what a login has brought. Whatever is stored gives way to it, and a refresh of the session before that is still on its
    /// way comes to nothing (R6).
    @discardableResult
    package func signIn(_ grant: TokenGrant, dpopKey: Secret? = nil) async throws(SessionError) -> AccessToken {
        let credential = Credential(
            grant, dpopKey: dpopKey, ahead: timing.ahead, chance: Double(random.bytes(1)[0]) / 255)
        let asked = broadcast.moment
        let stored = try await put(.signedIn(credential), credential.cookies)
        show(.active(SessionInfo(stored, credential)), of: stored, askedAt: asked)
        return AccessToken(credential, stored.mark)
    }

    /// The same, with what a login of this library has brought.
    @discardableResult
    package func signIn(_ login: CompletedLogin) async throws(SessionError) -> AccessToken {
        try await signIn(login.keptGrant, dpopKey: login.keptKey)
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
        let asked = broadcast.moment
        var lock: SessionStoreError?
        do throws(SessionStoreError) {
            while true {
                let former = try await former(lockedBefore: lock)
                lock = former.lock
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
            if case .locked = error { broadcast.show(.locked, of: nil, askedAt: asked) }
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
        /// It said that it is locked.
        var lock: SessionStoreError?
    }

    private func former(lockedBefore: SessionStoreError?) async throws(SessionStoreError) -> Former {
        // Nobody knows the epoch of what is damaged: the seconds since 1970 are more than there were sign-ins.
        let beyond = max(UInt64(max(0, clock.now().secondsSinceEpoch)), newestEpoch)
        let entry: StoredEntry?
        do throws(SessionStoreError) { entry = try await records.store.read() } catch {
            switch error {
            case .corrupt: return Former(epoch: beyond, isDamaged: true)
            // Whether the key is gone for good knows the store: then it is as with damage. It is asked once.
            case .locked where lockedBefore == nil: return Former(epoch: beyond, isDamaged: true, lock: error)
            case .locked, .failed: throw error
            }
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
    ///
    ///     try await session.signOut()
    public func signOut() async throws(SessionError) {
        let signOut = SignOut(.user, at: clock.now())
        let asked = broadcast.moment
        let (stored, former) = try await replace(.signedOut(signOut), [])
        show(.signedOut(signOut), of: stored, askedAt: asked)
        // Once more, for a store may keep the version before the last, and that is the one with the tokens.
        _ = try? await records.write(stored.record, over: stored.version)
        if let credential = former?.credential { await giveBack(credential) }
    }

    /// The last ID token that came, which tells the server at a logout whose session it is; `nil`: there is none.
    package var idToken: Secret? {
        get async { (try? await stored())?.record.credential?.idToken }
    }

    /// The same, and in the browser too, where the server remembers the user for other apps (OpenID Connect RP-Initiated Logout).
    ///
    ///     if let logout = try await session.signOutEverywhere() { open(logout.url) }
    ///
    /// - Parameter redirectURI: where the browser goes then, as it is registered with the server; `nil`: it stays there.
    /// - Returns: where the user's browser has to go; `nil` where the server offers nothing like it, or cannot be asked. The
    ///   session of this app is over whatever becomes of that.
    @discardableResult
    public func signOutEverywhere(returningTo redirectURI: String? = nil) async throws(LoginError) -> EndSessionRequest?
    {
        var uri: RedirectURI?
        if let redirectURI {
            do throws(RedirectURIError) { uri = try RedirectURI(redirectURI) } catch { throw .badRequest("\(error)") }
        }
        let idToken = await idToken
        do throws(SessionError) { try await signOut() } catch { throw .notKept(error) }
        guard case .tokens(let directory) = logins, let tokens = try? await directory.tokens() else { return nil }
        return EndSessionRequest(
            at: tokens.server, clientID: tokens.client.clientID, idToken: idToken, returningTo: uri, random: random)
    }
}
