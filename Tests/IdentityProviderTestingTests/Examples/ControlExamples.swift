import IdentityProviderTesting
import Testing

/// The examples of the documentation: faults, barriers, events, families.
@Suite struct ControlExamples {
    @Test func checkpoints() {
        let place = TestCheckpoint.refreshJudged
        print(place.rawValue)  // refresh.judged
        #expect(place.rawValue == "refresh.judged")
        let refreshes = TestFilter(path: "/token", client: "web", grantType: "refresh_token")
        let everything = TestFilter()
        #expect(refreshes != everything)
        let lost = TestFault.drop
        let late = TestFault.delay(.milliseconds(200))
        #expect(lost != late)
        let order = TestBarriers.Order.labels(["A", "B"])  // by the header field Pawl-Label
        #expect(order != .arrival)
        let state = TestFamily.State.live
        #expect(state.rawValue == "live")
    }

    @Test func faults() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            try idp.faults.add(.drop, for: TestFilter(grantType: "refresh_token"))
            // The next refresh is done, and its answer is lost.
            await #expect(throws: (any Error).self) { try await app.refresh(tokens.refreshToken) }
            #expect(try await idp.family(tokens.sessionID).liveTokens == [2])
        }
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let fault = try idp.faults.add(.failingStore, at: .refreshReceived, nth: 2, count: 3)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            let first = try await app.refresh(tokens.refreshToken)
            let second = try await app.refresh(first.text("refresh_token"))
            #expect(first.status == 200 && second.status == 503)
            let lost = idp.faults.firedCount(of: fault)
            #expect(lost == 1)
            idp.faults.remove(fault)
            #expect(!idp.faults.remove(fault))
            idp.faults.removeAll()
            try idp.faults.add(.status(503), for: TestFilter(path: "/token"))
            #expect(try await app.refresh(first.text("refresh_token")).status == 503)
        }
    }

    @Test func barriers() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let web = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            let native = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            let barrier = try idp.barriers.add(at: .refreshReceived, count: 2, order: .clients(["web", "native"]))
            // Two refreshes meet, and that of the client web is judged first, whichever comes first.
            async let second = app.refresh(native.refreshToken, client: "native")
            try await barrier.arrivals(1)
            async let first = app.refresh(web.refreshToken)
            #expect(try await first.status == 200)
            #expect(try await second.status == 200)
            #expect(barrier.releasedClients == ["web", "native"])
            #expect(!barrier.hasTimedOut)
        }
        try await withIdentityProvider { idp in
            let barrier = try idp.barriers.add(at: .refreshReceived, count: 2)
            print(barrier.heldCount)  // 0
            #expect(barrier.heldCount == 0)
            try idp.barriers.add(at: .responseSending, count: 2, order: .reverse, until: .responseSent)
            try idp.barriers.add(at: .refreshReceived, count: 2)
            barrier.open()
            barrier.remove()
            idp.barriers.removeAll()
        }
    }

    @Test func events() async throws {
        try await withIdentityProvider { idp in
            let ended = idp.events(.familyEnded)
            let ofWeb = idp.events(client: "web")
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try await idp.endSession(tokens.sessionID)
            for await event in ended {
                #expect(event.client == "web" && event["reason"]?.string == "ended")
                break
            }
            let kind = TestEvent.Kind.familyEnded
            print(kind.rawValue)  // family.ended
            #expect(kind.rawValue == "family.ended")
            withExtendedLifetime(ofWeb) {}
        }
        try await withIdentityProvider { idp in
            let reading = Task {
                for await event in idp.events(.familyEnded) {
                    print(event.client ?? "-", event["reason"]?.string ?? "-")
                    break
                }
            }
            // The stream begins when the task does; that ends it, whichever comes first.
            reading.cancel()
            await reading.value
        }
    }

    @Test func families() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            #expect(try await app.refresh(tokens.refreshToken).status == 200)
            let family = try await idp.family(tokens.sessionID)
            print(family.liveTokens)  // [1]
            let replaced = family.tokens.filter { $0.state == .spent }
            #expect(family.liveTokens == [2] && replaced.map(\.number) == [1])
            #expect(family.endReason == nil)
            let text = try await idp.familyGraph(tokens.sessionID, as: .mermaid)
            #expect(text.hasPrefix("flowchart"))
            let format = TestFamily.Format.graphviz
            #expect(try await idp.familyGraph(tokens.sessionID, as: format).hasPrefix("digraph"))
            await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.familyGraph("no-session", as: format)
            }
        }
    }

    @Test func keys() async throws {
        try await withIdentityProvider { idp in
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            let old = try #require(idp.keys.all.first)
            try await idp.keys.rotate()  // another one signs; the old one stays published for its tokens
            try await idp.keys.withdraw(old.id)  // and now nobody is to trust it any more
            #expect(!idp.keys.all.contains { $0.id == old.id })
            #expect(try await idp.revoke(tokens.accessToken) == false)
            try await idp.keys.rotate()
            let signing = idp.keys.all.filter(\.isActive)
            #expect(signing.count == 1)
        }
        try await withIdentityProvider { idp in
            try await idp.keys.rotate(.rs256)
            #expect(idp.keys.all.contains { $0.algorithm == "RS256" && $0.isActive })
            let isGone = try await idp.keys.withdraw("no-such-key")
            #expect(!isGone)
        }
    }

    @Test func revocation() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try await idp.revoke(tokens.accessToken)
            #expect(try await idp.revoke(tokens.accessToken) == false)
            let session = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            #expect(try await idp.revoke(try #require(session.refreshToken)))
            #expect(try await app.refresh(session.refreshToken).status == 400)
            #expect(try await idp.revoke("no-token") == false)
        }
    }

    @Test func tenants() async throws {
        try await withIdentityProvider { idp in
            let other = try await idp.tenant("other")
            print(other.issuer)  // http://127.0.0.1:49152/t/other
            other.clock.advance(by: .seconds(3600))  // and nobody else's
            #expect(other.clock.secondsSince1970 > idp.clock.secondsSince1970 + 3000)
            #expect(other.discovery["issuer"]?.string == other.issuer && other.issuer == idp.issuer + "/t/other")
            _ = try await other.tokens(for: "alice", client: "web")
            #expect(try await other.sessions().count == 1)
            #expect(try await idp.sessions().isEmpty)
            await #expect(throws: IdentityProviderTestingError.self) { _ = try await idp.tenant("no/name") }
        }
    }

    /// What could never be is refused, and not taken for everything.
    @Test func refusesWhatCannotBe() async throws {
        try await withIdentityProvider { idp in
            for filter in [TestFilter(family: "x"), TestFilter(headers: ["a b": "c"])] {
                #expect(throws: IdentityProviderTestingError.self) { try idp.faults.add(.drop, for: filter) }
                #expect(throws: IdentityProviderTestingError.self) {
                    try idp.barriers.add(at: .refreshReceived, for: filter)
                }
            }
            for fault in [
                TestFault.status(99), .status(600), .delay(.zero), .delay(.seconds(61)), .cut(contentBytes: -1),
            ] {
                #expect(throws: IdentityProviderTestingError.self) { try idp.faults.add(fault) }
            }
            #expect(throws: IdentityProviderTestingError.self) { try idp.faults.add(.drop, nth: 0) }
            #expect(throws: IdentityProviderTestingError.self) { try idp.faults.add(.drop, at: .responseSent) }
            #expect(throws: IdentityProviderTestingError.self) {
                try idp.faults.add(.failingStore, at: .responseSending)
            }
            #expect(throws: IdentityProviderTestingError.self) {
                try idp.barriers.add(at: .refreshJudged, until: .refreshReceived)
            }
            #expect(throws: IdentityProviderTestingError.self) {
                try idp.barriers.add(at: .refreshJudged, within: .seconds(61))
            }
        }
    }
}
