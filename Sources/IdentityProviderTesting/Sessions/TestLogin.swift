import IdentityProvider
import OAuth
import Primitives

/// A user who has logged in: what clients are authorised to hangs on it.
///
///     let login = try #require(try await idp.logins().first)
///     print(login.username ?? "-", login.clientIDs)           // alice ["web"]
public struct TestLogin: Hashable, Sendable {
    /// `sid` of the tokens.
    public let id: String
    /// `nil`: he is not there any more.
    public let username: String?
    /// The `sub` of the user, as the provider itself knows him.
    public let subject: String
    /// When he proved who he is: `auth_time`, by the clock of the provider.
    public let secondsSince1970: Double
    /// How he did: `amr`.
    public let methods: [String]
    /// The clients that got tokens in it, in the order in which they came.
    public let clientIDs: [String]
    /// Claims that were given for this login alone.
    public let claims: [String: JSONValue]
    /// Why it ended; `nil` as long as it has not.
    public let endReason: String?
    /// Whether it is over.
    public var hasEnded: Bool { endReason != nil }

    init(_ login: Login, in context: ProviderContext) {
        id = login.id.text
        username = context.users[id: login.userID]?.username
        subject = login.userID
        secondsSince1970 = Double(login.authentication.moment.millisecondsSinceEpoch) / 1000
        methods = login.authentication.methods
        clientIDs = login.clientIDs
        claims = [String: JSONValue](login.claims)
        endReason = login.ended?.reason.rawValue
    }
}

extension TestIdentityProvider {
    /// Who has logged in, the newest first.
    ///
    ///     let alive = try await idp.logins().filter { !$0.hasEnded }
    public func logins() async throws(IdentityProviderTestingError) -> [TestLogin] {
        do throws(OAuthError) {
            return try await SessionDirectory(context: context).logins().map { TestLogin($0, in: context) }
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }

    /// Ends all sessions, those of a user, those of a client, or those of a user at a client. A login goes on when only one
    /// client's part of it ends.
    ///
    ///     try await idp.endSessions(of: "alice")
    ///     try await idp.endSessions(client: "web")
    public func endSessions(
        of username: String? = nil, client: String? = nil
    ) async throws(IdentityProviderTestingError) {
        var subject: String?
        if let username {
            guard let user = context.users[username: username] else {
                throw IdentityProviderTestingError(.unknownUser, "there is no user \(username)")
            }
            subject = user.id
        }
        do throws(OAuthError) {
            try await SessionDirectory(context: context).endAll { [subject] userID, clientID in
                guard subject.map({ sameText($0, userID) }) ?? true else { return false }
                return client.map { wanted in clientID.map { sameText($0, wanted) } == true } ?? true
            }
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }
}
