import Crypto
import HTTPMessages
import OAuth
import Primitives
import SessionClient

/// The server and the client that the tests of requests and logins are about.
enum LoginFixtures {
    static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    static let issuer = try! Issuer("https://id.example")
    static let loopback = try! RedirectURI("http://127.0.0.1:4711/callback")

    static func server(_ change: (inout ServerDescription) -> Void = { _ in }) -> ServerDescription {
        var server = ServerDescription(issuer: issuer, tokenEndpoint: try! ServerEndpoint("https://id.example/token"))
        server.authorizationEndpoint = try! ServerEndpoint("https://id.example/authorize")
        server.deviceAuthorizationEndpoint = try! ServerEndpoint("https://id.example/device")
        server.revocationEndpoint = try! ServerEndpoint("https://id.example/revoke")
        server.endSessionEndpoint = try! ServerEndpoint("https://id.example/logout")
        server.codeChallengeMethods = ["S256"]
        change(&server)
        return server
    }

    static func tokens(
        _ outbound: some OutboundRequests, server: ServerDescription = server(),
        client: ClientIdentity = ClientIdentity("native-app"), clock: any WallClock = ManualClock(startingAt: now),
        proofs: DPoPProver? = nil
    ) -> TokenClient {
        TokenClient(server: server, client: client, outbound: outbound, clock: clock, proofs: proofs)
    }

    static func prover(nonces: DPoPNonces = DPoPNonces()) throws -> DPoPProver {
        DPoPProver(
            key: try .generate(), nonces: nonces, clock: ManualClock(startingAt: now), random: SeededRandom(seed: 7))
    }

    /// For tests: what is in a secret.
    static func text(of secret: Secret?) -> String? {
        secret?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    static let grant =
        #"{"access_token":"access-1","token_type":"Bearer","expires_in":300,"refresh_token":"refresh-2"}"#

    /// An ID token with a signature that nobody looks at.
    static func idToken(_ change: (inout JSONObject) -> Void = { _ in }) -> String {
        var claims: JSONObject = [
            "iss": .string(issuer.identifier), "aud": "native-app", "sub": "alice",
            "exp": .number(JSONNumber(now.secondsSinceEpoch + 300)), "iat": .number(JSONNumber(now.secondsSinceEpoch)),
        ]
        change(&claims)
        let header: JSON = ["alg": "RS256"]
        return Base64URL.encode(header.serialised()) + "." + Base64URL.encode(JSON.object(claims).serialised())
            + ".AAAA"
    }
}

extension TokenAnswer {
    var asGrant: TokenGrant? {
        guard case .granted(let grant) = self else { return nil }
        return grant
    }

    var asRefusal: TokenRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }

    var asSuccessor: TokenSuccessor? {
        guard case .incomplete(let successor) = self else { return nil }
        return successor
    }

    var asUnavailability: Unavailability? {
        guard case .unavailable(let unavailability) = self else { return nil }
        return unavailability
    }
}
