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
            #expect(try await idp.family(tokens.loginID).liveTokens == [2])
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
            try await idp.endSession(tokens.loginID)
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

    @Test func recordedEvents() async throws {
        try await withIdentityProvider { idp in
            let page = idp.recordedEvents(.refreshJudged)
            print(page.events.count, page.lastNumber, page.lostCount)  // 0 0 0
            #expect(page.events.isEmpty && page.lastNumber == 0 && page.lostCount == 0)
        }
        try await withIdentityProvider { idp in
            let before = idp.recordedEvents().lastNumber
            let tokens = try await idp.tokens(for: "alice", client: "web")
            let since = idp.recordedEvents(.familyBegun, client: "web", after: before).events
            #expect(since.map(\.kind) == [.familyBegun] && since.first?["login"]?.string == tokens.loginID)
            #expect(idp.recordedEvents(.familyBegun, client: "native").events.isEmpty)
            let all = idp.recordedEvents()
            #expect(all.events.map(\.number) == Array(1...all.lastNumber))
            #expect(idp.recordedEvents(after: all.lastNumber).events.isEmpty)
            // A number from before a restart.
            #expect(idp.recordedEvents(after: all.lastNumber + 1).events == all.events)
            #expect(idp.recordedEvents(after: -1).events == all.events)
        }
    }

    /// More than are kept, and more than are given at once.
    @Test func lostEvents() async throws {
        try await withIdentityProvider { idp in
            let count = 10_500
            _ = idp.recordedEvents()
            for _ in 0..<count { idp.clock.advance(by: .milliseconds(1)) }
            let page = idp.recordedEvents(.clockMoved)
            #expect(page.events.count == 10_000 && page.lostCount == count - 10_000 && page.lastNumber == count)
            #expect(page.events.first?.number == count - 10_000 + 1)
            #expect(idp.recordedEvents(after: count - 3).events.map(\.number) == Array(count - 2...count))
        }
    }

    @Test func familiesOfSome() async throws {
        try await withIdentityProvider { idp in
            _ = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            _ = try await idp.tokens(for: "bob", client: "native", scope: "openid offline_access")
            let live = try await idp.families(client: "web").filter { !$0.liveTokens.isEmpty }
            #expect(live.map(\.clientID) == ["web"])
            #expect(try await idp.families(user: "bob").map(\.clientID) == ["native"])
            #expect(try await idp.families(client: "web", user: "bob").isEmpty)
            #expect(try await Set(idp.families().map(\.clientID)) == ["web", "native"])
            let text = try await idp.familyGraph(client: "web", as: .graphviz)
            #expect(text.contains("web for ") && !text.contains("native for "))
            #expect(try await idp.familyGraph(user: "bob", as: .mermaid).contains("native for "))
            #expect(try await !idp.familyGraph(client: "nobody", as: .graphviz).contains(" for "))
            await #expect(throws: IdentityProviderTestingError.self) { _ = try await idp.families(user: "nobody") }
        }
    }

    @Test func families() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            #expect(try await app.refresh(tokens.refreshToken).status == 200)
            let family = try await idp.family(tokens.loginID)
            print(family.liveTokens)  // [1]
            let replaced = family.tokens.filter { $0.state == .spent }
            #expect(family.liveTokens == [2] && replaced.map(\.number) == [1])
            #expect(family.endReason == nil)
            let text = try await idp.familyGraph(tokens.loginID, as: .mermaid)
            #expect(text.hasPrefix("flowchart"))
            let format = TestFamily.Format.graphviz
            #expect(try await idp.familyGraph(tokens.loginID, as: format).hasPrefix("digraph"))
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
            for filter in [
                TestFilter(family: "x"), TestFilter(headers: ["a b": "c"]), TestFilter(path: "/tokens"),
                TestFilter(path: "/_pawl/faults"), TestFilter(path: ""),
            ] {
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

    /// What no answer can ever be would wait for ever.
    @Test(
        arguments: [
            (.error("invalid_grant"), "/tokn", 1, "did you mean /token?"), (.error("invalid_grant"), nil, 0, "count"),
            (.error("invalid_grant", status: 99), nil, 1, "status"), (.error("x", status: 600), nil, 1, "status"),
            (.body("", fields: ["a b": "c"]), nil, 1, "header field"),
            (.body("", fields: ["X-Test": "a\r\nb"]), nil, 1, "header field"),
            (.body("", fields: ["Content-Length": "1"]), nil, 1, "the server's own"),
            (.changing(), nil, 1, "neither claims nor members"),
            (.changing(), "/userinfo", 1, "neither claims nor members"),
            (.changing(accessTokenClaims: ["a": 1]), "/userinfo", 1, "gives no access token"),
            (.changing(idTokenClaims: ["a": 1]), "/session", 1, "gives no ID token"),
        ] as [(NextResponse, String?, Int, String)])
    func refusesAnswersThatCannotBe(_ answer: NextResponse, _ path: String?, _ count: Int, _ why: String) async throws {
        try await withIdentityProvider { idp in
            let error = #expect(throws: IdentityProviderTestingError.self) {
                try idp.answerNext(answer, at: path, count: count)
            }
            #expect(error?.description.contains(why) == true, "\(error?.description ?? "")")
            #expect(idp.waitingAnswers.isEmpty)
        }
    }

    /// A name in short is as good as a path.
    @Test func takesNamesInShort() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            try idp.faults.add(.status(503), for: TestFilter(path: "jwks"))
            #expect(try await app.get("/jwks.json").status == 503)
            try idp.faults.add(.status(503), for: TestFilter(path: "/.well-known/oauth-authorization-server"))
            #expect(try await app.get("/.well-known/oauth-authorization-server").status == 503)
            try idp.answerNext(.error("server_error", status: 500), at: "userinfo")
            #expect(try await app.get("/userinfo").status == 500)
            let error = #expect(throws: IdentityProviderTestingError.self) {
                try idp.faults.add(.drop, for: TestFilter(path: "/tokn"))
            }
            #expect(error?.description.contains("did you mean /token?") == true)
        }
    }

    /// They give no tokens in their answers, and an access token in a cookie.
    @Test func sessionsInCookies() async throws {
        try await withIdentityProvider { idp in
            var shop = TestClient.publicApp("shop", redirectURI: "http://127.0.0.1/callback")
            shop.cookieSession = TestCookieSession(endsLogin: true)
            try await idp.clients.add(shop)
            let app = AppUnderTest(idp)
            try idp.answerNext(.changing(accessTokenClaims: ["scope": "other"]), at: "/session")
            #expect(try await app.post("/session", "client_id=shop&username=alice&password=alice").status == 200)
            #expect(idp.waitingAnswers.isEmpty)
            let logins = try await idp.logins().map(\.id)
            #expect(try await app.delete("/session").text("ended") == "login")
            #expect(idp.requests.last?.loginIDs == logins && logins.count == 1)
        }
    }
}
