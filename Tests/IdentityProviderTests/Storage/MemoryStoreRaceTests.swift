import IdentityProvider
import OAuth
import Primitives
import Testing

/// Each verb of the store with many callers at once.
@Suite struct MemoryStoreRaceTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private let store = MemoryStore()

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
    @Test(arguments: 1...10)
    func aCodeIsConsumedOnce(round: Int) async throws {
        let digest = TokenDigest(of: "code")
        try await store.keep(
            AuthorizationCode(
                terms: Self.terms(), redirectURI: nil, challenge: nil, expires: Self.start + .seconds(60)),
            named: digest)
        let consumed = try await count { [store] in
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

    @Test func aCodeThatIsRefusedStaysAsItWas() async throws {
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

    @Test func aCodeEndsAtTheMillisecond() async throws {
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
    @Test(arguments: 1...10)
    func anIdentifierIsSpentOnce(round: Int) async throws {
        let identifier = OneTimeIdentifier(.assertion, of: "app", named: "jti")
        let spent = try await count { [store] in
            try await store.spend(identifier, until: Self.start + .seconds(60), at: Self.start)
        }
        #expect(spent == 1)
    }

    @Test func anIdentifierIsAnothersInAnotherPlace() async throws {
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

    @Test func anIdentifierIsRememberedToTheMillisecond() async throws {
        let identifier = OneTimeIdentifier(.proof, of: "app", named: "jti")
        let until = Self.start + .seconds(60)
        #expect(try await store.spend(identifier, until: until, at: Self.start))
        #expect(try await !store.spend(identifier, until: until, at: until - .milliseconds(1)))
        #expect(try await store.spend(identifier, until: until + .seconds(1), at: until))
    }

    @Test(arguments: 1...10)
    func aPushedRequestIsTakenOnce(round: Int) async throws {
        let digest = TokenDigest(of: "request")
        try await store.keep(
            PushedRequest(clientID: "app", parameters: FormParameters(), expires: Self.start + .seconds(60)),
            named: digest, at: Self.start)
        #expect(try await store.takePushedRequest(named: digest, at: Self.start, if: { _ in false }) == nil)
        let taken = try await count { [store] in
            try await store.takePushedRequest(named: digest, at: Self.start, if: { _ in true }) != nil
        }
        #expect(taken == 1)
    }

    @Test func aPushedRequestEndsAtTheMillisecond() async throws {
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
    @Test(arguments: 1...10)
    func aUserCodeIsGivenOnce(round: Int) async throws {
        let names = (0..<32).map { TokenDigest(of: "device \($0)") }
        let kept = try await withThrowingTaskGroup(of: Bool.self) { [store] group in
            for name in names {
                group.addTask { try await store.keep(Self.device(), named: name, at: Self.start) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 1)
    }

    @Test func aUserCodeIsFreeAgainWhenItsTimeIsOver() async throws {
        #expect(try await store.keep(Self.device(), named: TokenDigest(of: "1"), at: Self.start))
        let end = Self.start + .seconds(60)
        #expect(
            try await !store.keep(Self.device(), named: TokenDigest(of: "2"), at: end - .milliseconds(1)))
        #expect(try await store.changeDevice(userCode: "BCDFGHJK", at: end) { _ in true } == nil)
        let later = Self.device(lasting: .seconds(120))
        #expect(try await store.keep(later, named: TokenDigest(of: "2"), at: end))
        #expect(try await store.changeDevice(userCode: "BCDFGHJK", at: end) { $0.expires } == later.expires)
    }

    @Test(arguments: 1...10)
    func aDeviceIsChangedByOneAtATime(round: Int) async throws {
        let digest = TokenDigest(of: "device")
        #expect(try await store.keep(Self.device(), named: digest, at: Self.start))
        let redeemed = try await count { [store] in
            try await store.changeDevice(named: digest) { device -> Bool in
                guard case .pending = device.decision else { return false }
                device.decision = .redeemed
                return true
            } == true
        }
        #expect(redeemed == 1)
    }

    @Test(arguments: 1...10)
    func aFamilyIsJudgedByOneAtATime(round: Int) async throws {
        var fresh = Family(Self.terms(UInt64(round)))
        fresh.rotation.begin(at: Self.start)
        let family = fresh
        try await store.keep(family)
        let granted = try await count { [store] in
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
    @Test func aRevokedTokenStaysRevokedUntilItsEnd() async throws {
        let expires = Self.start + .seconds(60)
        try await store.revokeAccessToken("a.b", expiring: expires, at: Self.start)
        #expect(try await store.isAccessTokenRevoked("a.b", at: expires - .milliseconds(1)))
        #expect(try await !store.isAccessTokenRevoked("a.c", at: Self.start))
        #expect(try await !store.isAccessTokenRevoked("a", at: Self.start))
    }

    @Test func consentsAddUpAndAreWithdrawn() async throws {
        let one = try Scope(parsing: "read")
        let two = try Scope(parsing: "write")
        #expect(try await store.consent(of: "alice", to: "app", for: []) == nil)
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
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

    @Test func whatWasAskedForAndNotGrantedIsWithdrawn() async throws {
        let all = try Scope(parsing: "read write admin")
        try await store.rememberConsent(all, of: all, by: "alice", to: "app", for: [])
        let asked = try Scope(parsing: "read write")
        try await store.rememberConsent(Scope(parsing: "read"), of: asked, by: "alice", to: "app", for: [])
        #expect(try await store.consent(of: "alice", to: "app", for: []) == Scope(parsing: "read admin"))
    }

    @Test func forgetsEverything() async throws {
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
