import OAuth
import Primitives
import SessionClient
import Testing

/// What a login has brought goes into the record, whole.
@Suite struct SigningInGuardTests {
    private let store = WatchedStore()
    private let time = VirtualTime()

    private func signIn(_ grant: String, _ proofs: DPoPProver? = nil) async throws -> Credential {
        let tokens = LoginFixtures.tokens(ScriptedServer { _ in .json(grant) }, proofs: proofs)
        let login = try await LegacyPasswordLogin(tokens).run(
            userName: "alice", password: Secret(utf8: "wonderland"), scope: try Scope(parsing: "notes openid"))
        let session = SessionManager(server: TokenDesk.rotating(time), store: store, clock: time, alarm: time)
        try await session.signIn(login)
        return try #require(try await store.record()?.credential)
    }

    /// RFC 6749 section 5.1: where nothing is said of the scope, it is the one that was asked for.
    @Test func whatIsNotSaidOfTheScopeIsWhatWasAskedFor() async throws {
        let silent = #"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#
        #expect(try await signIn(silent).scope == Scope(parsing: "notes openid"))
        let less = #"{"access_token":"a","token_type":"Bearer","refresh_token":"r","scope":"notes"}"#
        #expect(try await signIn(less).scope == Scope(parsing: "notes"))
    }

    /// RFC 9449: without its key a token is of no use.
    @Test func theKeyThatTheTokensAreBoundToIsKeptWithThem() async throws {
        let prover = try LoginFixtures.prover()
        let bound = #"{"access_token":"a","token_type":"DPoP","refresh_token":"r"}"#
        let kept = try #require(try await signIn(bound, prover).dpopKey)
        #expect(try DPoPKey(pem: kept).thumbprint == prover.key.thumbprint)
    }
}
