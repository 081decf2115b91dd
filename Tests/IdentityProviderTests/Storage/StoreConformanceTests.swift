import IdentityProvider
import OAuth
import Primitives
import Testing

/// What every engine must do: each verb, also with many callers at once.
@Suite struct StoreConformanceTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private static func terms(_ seed: UInt64 = 1) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: SeededRandom(seed: seed)), clientID: "app", userID: "alice", scope: .empty, began: start,
            expires: start + .seconds(60))
    }

    /// How often `body` says yes when it is asked 32 times at once.
    private func count(_ body: @escaping @Sendable () async throws -> Bool) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { try await body() } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// RFC 6749 section 4.1.2.
    @Test(arguments: StoreEngine.allCases, 1...3)
    func aCodeIsConsumedOnce(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let digest = TokenDigest(of: "code")
        try await store.keep(
            AuthorizationCode(
                terms: Self.terms(), redirectURI: nil, challenge: nil, expires: Self.start + .seconds(60)),
            named: digest)
        let consumed = try await count {
            if case .consumed? = try await store.consumeCode(named: digest, at: Self.start, if: { _ in true }) {
                return true
            }
            return false
        }
        #expect(consumed == 1)
        guard case .replayed? = try await store.consumeCode(named: digest, at: Self.start, if: { _ in true }) else {
            Issue.record("not remembered as consumed")
            return
        }
    }

    /// Whoever comes first begins it, and every other finds it.
    @Test(arguments: StoreEngine.allCases, 1...3)
    func aFamilyBeginsOnce(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        var ended = Family(Self.terms())
        ended.end(.codeReplayed, at: Self.start)
        let over = ended
        let begun = try await count { try await store.begin(Family(Self.terms())).isNew }
        #expect(begun == 1)
        let late = try await store.begin(over)
        #expect(!late.isNew && late.family.ended == nil)
    }

    @Test(arguments: StoreEngine.allCases)
    func aCodeThatIsRefusedStaysAsItWas(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let digest = TokenDigest(of: "code")
        try await store.keep(
            AuthorizationCode(
                terms: Self.terms(), redirectURI: nil, challenge: nil, expires: Self.start + .seconds(60)),
            named: digest)
        #expect(try await store.consumeCode(named: digest, at: Self.start, if: { _ in false }) == nil)
        guard case .consumed? = try await store.consumeCode(named: digest, at: Self.start, if: { _ in true }) else {
            Issue.record("the refusal changed it")
            return
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func aCodeEndsAtTheMillisecond(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        for (milliseconds, isGood) in [(59_999, true), (60_000, false), (60_001, false)] {
            let digest = TokenDigest(of: "code \(milliseconds)")
            try await store.keep(
                AuthorizationCode(
                    terms: Self.terms(), redirectURI: nil, challenge: nil, expires: Self.start + .seconds(60)),
                named: digest)
            let moment = Self.start + .milliseconds(Int64(milliseconds))
            let outcome = try await store.consumeCode(named: digest, at: moment, if: { _ in true })
            switch outcome {
            case .consumed: #expect(isGood)
            case .expired: #expect(!isGood)
            default: Issue.record("neither")
            }
        }
        guard
            case .unknown? = try await store.consumeCode(
                named: TokenDigest(of: "none"), at: Self.start, if: { _ in true })
        else {
            Issue.record("found what was never kept")
            return
        }
    }

    /// RFC 7523 section 3 item 7, RFC 9449 section 11.1.
    @Test(arguments: StoreEngine.allCases, 1...3)
    func anIdentifierIsSpentOnce(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let identifier = OneTimeIdentifier(.assertion, of: "app", named: "jti")
        let spent = try await count {
            try await store.spend(identifier, until: Self.start + .seconds(60), at: Self.start)
        }
        #expect(spent == 1)
    }

    @Test(arguments: StoreEngine.allCases)
    func anIdentifierIsAnothersInAnotherPlace(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let until = Self.start + .seconds(60)
        for identifier in [
            OneTimeIdentifier(.assertion, of: "app", named: "jti"), OneTimeIdentifier(.proof, of: "app", named: "jti"),
            OneTimeIdentifier(.assertion, of: "other", named: "jti"),
            OneTimeIdentifier(.assertion, of: "app", named: "JTI"),
            OneTimeIdentifier(.assertion, of: "app", named: "\u{E9}"),
            OneTimeIdentifier(.assertion, of: "app", named: "e\u{301}"),
        ] {
            #expect(try await store.spend(identifier, until: until, at: Self.start))
            #expect(try await !store.spend(identifier, until: until, at: Self.start))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func anIdentifierIsRememberedToTheMillisecond(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let identifier = OneTimeIdentifier(.proof, of: "app", named: "jti")
        let until = Self.start + .seconds(60)
        #expect(try await store.spend(identifier, until: until, at: Self.start))
        #expect(try await !store.spend(identifier, until: until, at: until - .milliseconds(1)))
        #expect(try await store.spend(identifier, until: until + .seconds(1), at: until))
    }

    @Test(arguments: StoreEngine.allCases, 1...3)
    func aPushedRequestIsTakenOnce(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let digest = TokenDigest(of: "request")
        try await store.keep(
            PushedRequest(clientID: "app", parameters: FormParameters(), expires: Self.start + .seconds(60)),
            named: digest, at: Self.start)
        #expect(try await store.takePushedRequest(named: digest, at: Self.start, if: { _ in false }) == nil)
        let taken = try await count {
            try await store.takePushedRequest(named: digest, at: Self.start, if: { _ in true }) != nil
        }
        #expect(taken == 1)
    }

    @Test(arguments: StoreEngine.allCases)
    func aPushedRequestEndsAtTheMillisecond(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let digest = TokenDigest(of: "request")
        let expires = Self.start + .seconds(60)
        try await store.keep(
            PushedRequest(clientID: "app", parameters: FormParameters(), expires: expires), named: digest,
            at: Self.start)
        #expect(try await store.takePushedRequest(named: digest, at: expires, if: { _ in true }) == nil)
        let early = expires - .milliseconds(1)
        #expect(try await store.takePushedRequest(named: digest, at: early, if: { _ in true }) != nil)
    }

    private static func device(_ userCode: String = "BCDFGHJK", lasting: Duration = .seconds(60)) -> DeviceAuthorization
    {
        DeviceAuthorization(
            clientID: "app", userCode: userCode, scope: .empty, interval: .seconds(5), expires: start + lasting)
    }

    /// RFC 8628 section 3.2: one device shows a code.
    @Test(arguments: StoreEngine.allCases, 1...3)
    func aUserCodeIsGivenOnce(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let names = (0..<32).map { TokenDigest(of: "device \($0)") }
        let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
            for name in names {
                group.addTask { try await store.keep(Self.device(), named: name, at: Self.start) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 1)
    }

    @Test(arguments: StoreEngine.allCases)
    func aUserCodeIsFreeAgainWhenItsTimeIsOver(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        #expect(try await store.keep(Self.device(), named: TokenDigest(of: "1"), at: Self.start))
        let end = Self.start + .seconds(60)
        #expect(
            try await !store.keep(Self.device(), named: TokenDigest(of: "2"), at: end - .milliseconds(1)))
        #expect(try await store.changeDevice(userCode: "BCDFGHJK", at: end) { _ in true } == nil)
        let later = Self.device(lasting: .seconds(120))
        #expect(try await store.keep(later, named: TokenDigest(of: "2"), at: end))
        #expect(try await store.changeDevice(userCode: "BCDFGHJK", at: end) { $0.expires } == later.expires)
    }

    @Test(arguments: StoreEngine.allCases, 1...3)
    func aDeviceIsChangedByOneAtATime(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let digest = TokenDigest(of: "device")
        #expect(try await store.keep(Self.device(), named: digest, at: Self.start))
        let redeemed = try await count {
            try await store.changeDevice(named: digest) { device -> Bool in
                guard case .pending = device.decision else { return false }
                device.decision = .redeemed
                return true
            } == true
        }
        #expect(redeemed == 1)
    }

    @Test(arguments: StoreEngine.allCases, 1...3)
    func aFamilyIsJudgedByOneAtATime(engine: StoreEngine, round: Int) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        var fresh = Family(Self.terms(UInt64(round)))
        fresh.rotation.begin(at: Self.start)
        let family = fresh
        try await store.keep(family)
        let granted = try await count {
            try await store.judge(family.id) { family -> Bool in
                let verdict = RotationPolicy.strict.judge(&family, presenting: 1, at: Self.start)
                return verdict.isAccepted
            } == true
        }
        #expect(granted == 1)
        #expect(try await store.family(family.id)?.rotation.current == 2)
        #expect(try await store.judge(FamilyID(from: SeededRandom(seed: 999))) { _ in true } == nil)
    }

    /// RFC 7009: revoked for good, and for nobody else.
    @Test(arguments: StoreEngine.allCases)
    func aRevokedTokenStaysRevokedUntilItsEnd(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let expires = Self.start + .seconds(60)
        try await store.revokeAccessToken("a.b", expiring: expires, at: Self.start)
        #expect(try await store.isAccessTokenRevoked("a.b", at: expires - .milliseconds(1)))
        #expect(try await !store.isAccessTokenRevoked("a.c", at: Self.start))
        #expect(try await !store.isAccessTokenRevoked("a", at: Self.start))
    }

    @Test(arguments: StoreEngine.allCases)
    func consentsAddUpAndAreWithdrawn(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let one = try Scope(parsing: "read")
        let two = try Scope(parsing: "write")
        #expect(try await store.consent(of: "alice", to: "app", for: []) == nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                let scope = index % 2 == 0 ? one : two
                group.addTask { try await store.rememberConsent(scope, of: scope, by: "alice", to: "app", for: []) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.consent(of: "alice", to: "app", for: []) == one.union(two))
        #expect(try await store.consent(of: "bob", to: "app", for: []) == nil)
        #expect(try await store.consent(of: "alice", to: "other", for: []) == nil)
        try await store.rememberConsent(one, of: one, by: "bob", to: "app", for: [])
        try await store.withdrawConsents { user, client in user == "alice" && client == "app" }
        #expect(try await store.consent(of: "alice", to: "app", for: []) == nil)
        #expect(try await store.consent(of: "bob", to: "app", for: []) == one)
    }

    /// What has not begun of a client goes, and nothing of another; its user codes are free again.
    @Test(arguments: StoreEngine.allCases)
    func whatHasNotBegunIsWithdrawn(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let expires = Self.start + .seconds(60)
        let digest = TokenDigest(of: "one")
        try await store.keep(
            AuthorizationCode(terms: Self.terms(), redirectURI: nil, challenge: nil, expires: expires), named: digest)
        #expect(try await store.keep(Self.device(), named: digest, at: Self.start))
        for client in ["app", "other"] {
            let request = PushedRequest(clientID: client, parameters: FormParameters(), expires: expires)
            try await store.keep(request, named: TokenDigest(of: client), at: Self.start)
        }
        try await store.withdrawGrants { user, client in user == "bob" || client == "other" }
        #expect(try await !store.keep(Self.device(), named: TokenDigest(of: "two"), at: Self.start))
        #expect(try await store.consumeCode(named: digest, at: Self.start, if: { _ in false }) == nil)
        for (client, isThere) in [("app", true), ("other", false)] {
            let found = try await store.takePushedRequest(
                named: TokenDigest(of: client), at: Self.start, if: { _ in true })
            #expect((found != nil) == isThere)
        }
        try await store.withdrawGrants { _, client in client == "app" }
        #expect(try await store.changeDevice(named: digest) { _ in true } == nil)
        #expect(try await store.keep(Self.device(), named: TokenDigest(of: "two"), at: Self.start))
        guard case .unknown? = try await store.consumeCode(named: digest, at: Self.start, if: { _ in true }) else {
            Issue.record("the code is still there")
            return
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func whatWasAskedForAndNotGrantedIsWithdrawn(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let all = try Scope(parsing: "read write admin")
        try await store.rememberConsent(all, of: all, by: "alice", to: "app", for: [])
        let asked = try Scope(parsing: "read write")
        try await store.rememberConsent(Scope(parsing: "read"), of: asked, by: "alice", to: "app", for: [])
        #expect(try await store.consent(of: "alice", to: "app", for: []) == Scope(parsing: "read admin"))
    }

    @Test(arguments: StoreEngine.allCases)
    func findsWhatBelongsToALogin(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let (login, other) = (LoginID("login"), LoginID("logiṇ"))
        func family(_ seed: UInt64, in loginID: LoginID?) -> Family {
            Family(
                FamilyTerms(
                    id: FamilyID(from: SeededRandom(seed: seed)), clientID: "app", userID: "alice", scope: .empty,
                    loginID: loginID, began: Self.start, expires: nil))
        }
        let families = [family(1, in: login), family(2, in: login), family(3, in: other), family(4, in: nil)]
        for family in families { try await store.keep(family) }
        try await store.keep(
            Login(
                id: login, userID: "alice", authentication: Authentication(at: Self.start, methods: ["pwd"]),
                expires: Self.start + .seconds(60)))
        func loginOfRefresh(_ id: FamilyID) async throws -> LoginID?? {
            try await store.refresh(id) { _, login in RefreshOutcome(login?.id) }
        }
        #expect(try await loginOfRefresh(families[0].id) == .some(login))
        for family in families[2...] { #expect(try await loginOfRefresh(family.id) == .some(nil)) }
        #expect(try await loginOfRefresh(family(5, in: login).id) == nil)

        let found = try await store.families(of: login, where: { _ in true }, limit: 10)
        #expect(Set(found.map(\.id)) == Set(families[..<2].map(\.id)))
        #expect(try await store.families(of: login, where: { _ in true }, limit: 1).count == 1)
        #expect(try await store.families(of: login, where: { $0.ended != nil }, limit: 10).isEmpty)
        try await store.endFamilies(of: "app", in: login, .loggedOut, at: Self.start)
        for family in families[..<2] { #expect(try await store.family(family.id)?.ended?.reason == .loggedOut) }
        for family in families[2...] { #expect(try await store.family(family.id)?.ended == nil) }
    }

    @Test(arguments: StoreEngine.allCases)
    func forgetsEverything(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let family = Family(Self.terms())
        try await store.keep(family)
        let identifier = OneTimeIdentifier(.proof, of: "app", named: "jti")
        _ = try await store.spend(identifier, until: .endOfYear9999, at: Self.start)
        try await store.removeAll()
        #expect(try await store.family(family.id) == nil)
        #expect(try await store.spend(identifier, until: .endOfYear9999, at: Self.start))
        #expect(try await store.families(where: { _ in true }, limit: 10).isEmpty)
    }
}
