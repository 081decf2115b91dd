import HTTPMessages
import IdentityProvider
import JOSE
import Primitives
import Synchronization
import Testing

/// Keys that are taken away, and tokens that are taken back.
@Suite struct KeysControlTests {
    private func keyIDs(_ control: ControlUnderTest) async throws -> [String] {
        try #require(try await control.json("GET", "/keys")["keys"]?.array).compactMap { $0["kid"]?.string }
    }

    private func userInfo(_ control: ControlUnderTest, _ token: String) async -> Int {
        await control.provider.get("/userinfo", [.authorization: "Bearer \(token)"]).status
    }

    @Test func withdrawsTheKeyThatSignsAndAnotherSignsAtOnce() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        #expect(await userInfo(control, session.access) == 200)
        let old = try #require(try await keyIDs(control).first)
        let left = try await control.json("DELETE", "/keys/\(old)")
        #expect(left["keys"]?.array?.count == 1)
        #expect(left["keys"]?.array?.first?["role"] == "active")
        #expect(left["keys"]?.array?.first?["kid"]?.string != old)
        let published = String(decoding: await control.provider.get("/jwks.json").body, as: UTF8.self)
        #expect(!published.contains(old))
        // What it signed is no good, and what is signed now is.
        #expect(await userInfo(control, session.access) == 401)
        let refreshed = await control.refresh(session.refresh)
        #expect(await userInfo(control, try refreshed.text("access_token")) == 200)
    }

    @Test func withdrawsAKeyThatIsPublishedOnly() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let old = try #require(try await keyIDs(control).first)
        _ = try await control.json("POST", "/keys/rotate")
        let active = try #require(try await keyIDs(control).last)
        _ = try await control.json("DELETE", "/keys/\(old)")
        #expect(try await keyIDs(control) == [active])
        #expect(await userInfo(control, session.access) == 401)
    }

    @Test(arguments: ["none", "%20"])
    func withdrawsNoKeyThatIsNotThere(_ keyID: String) async throws {
        let control = try await ControlUnderTest()
        let before = try await keyIDs(control)
        #expect(await control.call("DELETE", "/keys/\(keyID)").status == 404)
        #expect(try await keyIDs(control) == before)
    }

    @Test func keepsTheKeyWhereNoOtherCanBeMade() async throws {
        let supply = FailingKeySupply()
        let provider = try await ProviderUnderTest(issuer: .followsHost, keySupply: supply)
        let control = ControlUnderTest(provider)
        let before = try await keyIDs(control)
        supply.fails.store(true, ordering: .releasing)
        for answer in [
            await control.call("DELETE", "/keys/\(try #require(before.first))"),
            await control.call("POST", "/keys/rotate"),
            await control.call("POST", "/tokens", ["claims": [:], "key": "unpublished"]),
            await control.call("PATCH", "/settings", ["access_tokens": ["alg": "ES384"]]),
        ] {
            #expect(answer.status == 503, "\(answer.json)")
            #expect(answer.field("Retry-After") != nil)
        }
        #expect(try await keyIDs(control) == before)
    }

    /// What the keys themselves do not allow will not be allowed in a moment either.
    @Test func saysThatThereAreTooManyKeysAndNotToComeAgain() async throws {
        let control = try await ControlUnderTest()
        let (ring, now) = (control.provider.keyRing, control.provider.clock.now())
        let material = try SigningKey.generate(.es256).jwk.material
        for number in 2...KeyRing.State.maximumCount {
            // One whose tokens are good stays.
            _ = try ring.sign(.es256, for: .seconds(300), at: now)
            try ring.rotate(to: SigningKey(JWK(material), algorithm: .es256, keyID: "k\(number)"), at: now)
        }
        _ = try ring.sign(.es256, for: .seconds(300), at: now)
        let answer = await control.call("POST", "/keys/rotate")
        #expect(answer.status == 409 && answer.error == "conflict")
        #expect(answer.field("Retry-After") == nil)
    }

    // MARK: Tokens

    @Test func revokesAnAccessTokenAlone() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let other = try await control.newSession()
        let answer = try await control.json("POST", "/tokens/revoke", ["token": .string(session.access)])
        #expect(answer["revoked"] == "access_token" && answer["jti"] != nil)
        #expect(await userInfo(control, session.access) == 401)
        #expect(await userInfo(control, other.access) == 200)
        #expect(await control.refresh(session.refresh).status == 200)
    }

    @Test func revokesARefreshTokenWithItsFamily() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let family = try #require(try await control.family()["id"])
        let next = try await control.refresh(session.refresh).text("refresh_token")
        // Whichever of the family it is.
        let answer = try await control.json("POST", "/tokens/revoke", ["token": .string(session.refresh)])
        #expect(answer == ["revoked": "refresh_token", "family": family])
        #expect(await control.refresh(next).error == "invalid_grant")
        #expect(await userInfo(control, session.access) == 401)
        #expect(try await control.family()["ended"]?["reason"] == "revoked")
    }

    @Test func tellsOfARevocation() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        control.context.checkpoints.events.turnOn()
        let answer = try await control.json("POST", "/tokens/revoke", ["token": .string(session.access)])
        let events = await control.call("GET", "/events?kind=token.revoked", also: [.accept: "application/json"])
        #expect(events.json?["events"]?.array?.map { $0["jti"] } == [answer["jti"]])
    }

    @Test func revokesNothingTwice() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        for token in [session.access, session.refresh] {
            #expect(await control.call("POST", "/tokens/revoke", ["token": .string(token)]).status == 200)
            #expect(await control.call("POST", "/tokens/revoke", ["token": .string(token)]).status == 404)
        }
    }

    @Test func revokesNoTokenOfAnotherTenant() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        for token in [session.access, session.refresh] {
            let body: JSON = ["token": .string(token)]
            #expect(await control.call("POST", "/tokens/revoke", body, below: "/t/other/_pawl").status == 404)
        }
        #expect(await userInfo(control, session.access) == 200)
    }

    @Test(
        arguments: [
            ([:], 400), (["token": 1], 400), (["token": ""], 400), (["token": "x", "client": "app"], 400),
            (["token": "no-token"], 404), (["token": "ey.ey.ey"], 404),
        ] as [(JSON, Int)])
    func refusesWhatIsNoToken(_ body: JSON, _ status: Int) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/tokens/revoke", body)
        #expect(answer.status == status)
        #expect(!answer.errorDescription.contains("ey.ey"))
    }
}
