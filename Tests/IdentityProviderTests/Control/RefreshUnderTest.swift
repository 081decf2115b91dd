import HTTPMessages
import IdentityProvider
import Primitives
import Testing

extension ControlUnderTest {
    /// A refresh as the client `app` sends it; the label tells it from others.
    func refresh(_ token: String, label: String? = nil) async -> Answer {
        var fields: HTTPFields = [:]
        fields[BarrierPlan.labelName] = label
        return await provider.token(
            "grant_type=refresh_token&client_id=app&refresh_token=\(token)", also: fields)
    }

    /// A client-credentials request of a client that is there by itself.
    func ask(_ client: String = "service") async -> Answer {
        await provider.token("grant_type=client_credentials", basic: "\(client):secret")
    }

    func family() async throws -> JSON {
        try #require(try await json("GET", "/families")["families"]?.array?.first)
    }
}
