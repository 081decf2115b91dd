extension ProviderContext {
    /// The stays in which a user who is there now authorises something.
    func stays(of userID: String, with client: Client) -> Stays {
        Stays(user: users.stay(of: userID) ?? Stays.nobody, client: client.stay)
    }

    /// The stays in which somebody who is logged in authorises something.
    func stays(of login: Login, with client: Client) -> Stays {
        Stays(user: login.userStay ?? users.stay(of: login.userID) ?? Stays.nobody, client: client.stay)
    }

    /// Whether the user of these terms and their client are there, and have been since.
    func holds(_ terms: FamilyTerms) -> Bool {
        guard let user = stay(of: terms.userID) else { return false }
        guard let stays = terms.stays else { return true }
        return stays.user == user && isPresent(terms.clientID, in: stays.client)
    }

    /// Whether the user of a login is there, and has been since.
    func holds(_ login: Login) -> Bool {
        guard let stay = stay(of: login.userID) else { return false }
        return login.userStay.map { $0 == stay } ?? true
    }

    /// Whoever is taken as he comes need not have come yet in this run.
    private func stay(of userID: String) -> Int? {
        configuration.allowances.contains(.anyUser) ? users.stay(ofAnybody: userID) : users.stay(of: userID)
    }

    /// Whether a client that was found before has not been removed since.
    func isPresent(_ client: Client) -> Bool { isPresent(client.id, in: client.stay) }

    private func isPresent(_ clientID: String, in stay: Int) -> Bool { clients[clientID]?.stay == stay }
}
