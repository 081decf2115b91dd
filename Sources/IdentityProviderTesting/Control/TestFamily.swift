import IdentityProvider
import OAuth
import Primitives

/// The refresh tokens of a session as a tree: each is the child of the one that it replaced. Numbers, no tokens.
///
///     let family = try await idp.family(tokens.loginID)
///     print(family.liveTokens)                    // [1]
public struct TestFamily: Hashable, Sendable {
    /// A refresh token.
    ///
    ///     let replaced = family.tokens.filter { $0.state == .spent }
    public struct Token: Hashable, Sendable {
        /// Counts those of the family, from one.
        public let number: Int
        /// The one that it replaced; `nil` for the first, and where the family has forked and it was forgotten.
        public let parent: Int?
        /// Whether it is good.
        public let state: State
    }

    /// Whether a refresh token is good.
    ///
    ///     let state = TestFamily.State.live
    public enum State: String, Hashable, Sendable {
        /// It is.
        case live
        /// It was replaced.
        case spent
        /// It would be if its family had not ended.
        case ended
    }

    /// A language in which it can be drawn.
    ///
    ///     let format = TestFamily.Format.graphviz
    public enum Format: Hashable, Sendable {
        case graphviz, mermaid
    }

    /// ``TestSession/id``.
    public let id: String
    /// The client.
    public let clientID: String
    /// How many came before those of ``tokens``, all spent.
    public let earlierCount: Int
    /// The end of the line: fifty at most.
    public let tokens: [Token]
    /// The numbers of those that are good.
    public var liveTokens: [Int] { tokens.filter { $0.state == .live }.map(\.number) }
    /// Why it ended, such as `refresh_token_reused`; `nil` as long as it has not.
    public let endReason: String?

    init(_ family: Family, _ tree: FamilyTree) {
        id = family.id.description
        clientID = family.terms.clientID
        earlierCount = Int(tree.earlierCount)
        tokens = tree.nodes.map { node in
            Token(
                number: Int(node.number), parent: node.parent.map { Int($0) },
                state: State(rawValue: node.state.rawValue) ?? .ended)
        }
        endReason = family.ended?.reason.rawValue
    }
}

extension TestIdentityProvider {
    /// The refresh tokens of a session, or of the newest in a login.
    ///
    ///     let family = try await idp.family(tokens.loginID)
    public func family(_ id: String) async throws(IdentityProviderTestingError) -> TestFamily {
        guard let found = try await found(id).first else {
            throw IdentityProviderTestingError(.refused, "there is no session \(id)")
        }
        return TestFamily(found, FamilyTree(found, at: context.clock.now()))
    }

    /// A session, or all of a login, the newest first.
    ///
    ///     let clients = try await idp.families(of: tokens.loginID).map(\.clientID)
    public func families(of id: String) async throws(IdentityProviderTestingError) -> [TestFamily] {
        let now = context.clock.now()
        return try await found(id).map { TestFamily($0, FamilyTree($0, at: now)) }
    }

    /// Those of a client, or of a user, or of all, the newest first.
    ///
    ///     let live = try await idp.families(client: "web").filter { !$0.liveTokens.isEmpty }
    public func families(
        client: String? = nil, user: String? = nil
    ) async throws(IdentityProviderTestingError) -> [TestFamily] {
        let now = context.clock.now()
        return try await found(of: client, user).map { TestFamily($0, FamilyTree($0, at: now)) }
    }

    /// A session, or all of a login, as a text that Graphviz or Mermaid draws.
    ///
    ///     let text = try await idp.familyGraph(tokens.loginID, as: .mermaid)
    public func familyGraph(
        _ id: String, as format: TestFamily.Format
    ) async throws(IdentityProviderTestingError) -> String {
        let found = try await found(id)
        guard !found.isEmpty else { throw IdentityProviderTestingError(.refused, "there is no session \(id)") }
        return graph(of: found, as: format)
    }

    /// The same of a client, or of a user, or of all; of none, a graph without anything in it.
    ///
    ///     let text = try await idp.familyGraph(client: "web", as: .graphviz)
    public func familyGraph(
        client: String? = nil, user: String? = nil, as format: TestFamily.Format
    ) async throws(IdentityProviderTestingError) -> String {
        graph(of: try await found(of: client, user), as: format)
    }

    private func graph(of families: [Family], as format: TestFamily.Format) -> String {
        let graph = FamilyGraph(families, in: context)
        switch format {
        case .graphviz: return graph.dot
        case .mermaid: return graph.mermaid
        }
    }

    private func found(_ id: String) async throws(IdentityProviderTestingError) -> [Family] {
        try await found { family in
            sameText(family.id.description, id) || family.terms.loginID.map { sameText($0.text, id) } == true
        }
    }

    private func found(
        of client: String?, _ username: String?
    ) async throws(IdentityProviderTestingError) -> [Family] {
        let userID = try username.map { username throws(IdentityProviderTestingError) in
            guard let user = context.users[username: username] else { throw unknownUser(username) }
            return user.id
        }
        return try await found { family in
            (client.map { sameText($0, family.terms.clientID) } ?? true)
                && (userID.map { sameText($0, family.terms.userID) } ?? true)
        }
    }

    private func found(
        where isWanted: @Sendable (Family) -> Bool
    ) async throws(IdentityProviderTestingError) -> [Family] {
        do throws(OAuthError) {
            return try await SessionDirectory(context: context).families(where: isWanted)
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }
}
