import IdentityProvider
import Primitives
import Testing

/// A device under test, and the user who holds it.
struct DeviceFlow {
    let provider: GrantsProvider
    let deviceCode: String
    let userCode: String

    init(_ provider: GrantsProvider, as client: String = "app", also: [(String, String)] = []) async throws {
        let answer = await provider.post("/device_authorization", also, as: client)
        self.provider = provider
        deviceCode = try answer.text("device_code")
        userCode = try answer.text("user_code")
    }

    func poll(as client: String = "app", also: [(String, String)] = []) async -> Answer {
        await provider.token(
            [("grant_type", GrantsProvider.deviceGrant), ("device_code", deviceCode)] + also, as: client)
    }

    /// The answer in short.
    func ask(as client: String = "app") async -> String { GrantsProvider.summary(await poll(as: client)) }

    @discardableResult
    func decide(
        _ username: String = "alice", approve: Bool = true, code: String? = nil
    ) async throws -> DeviceVerification.Outcome {
        let user = try #require(provider.context.users[username: username])
        return try await DeviceVerification.decide(
            userCode: code ?? userCode, as: user, approve: approve, in: provider.context)
    }
}
