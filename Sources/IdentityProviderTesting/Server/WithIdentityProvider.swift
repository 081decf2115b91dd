/// Starts an identity provider on a free port of this machine, inside this process, lets `body` use it, and stops it,
/// whatever happens. It takes milliseconds, so that each test can have its own.
///
///     try await withIdentityProvider { idp in
///         let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile")
///         print(idp.issuer, tokens.accessToken)
///     }
public func withIdentityProvider<Result>(
    _ setup: TestSetup = TestSetup(), isolation: isolated (any Actor)? = #isolation,
    _ body: (TestIdentityProvider) async throws -> Result
) async throws -> Result {
    let server = try await TestServer.start(setup)
    let result: Result
    do {
        result = try await body(TestIdentityProvider(server))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
    return result
}
