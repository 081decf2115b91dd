import JOSE
import Primitives
import Testing

/// `exp`, `nbf` and `iat` at the edges.
@Suite struct JWTDateTests {
    private let trial = PolicyTrial()

    /// RFC 7519 section 4.1.4: the current date/time MUST be before the expiration date/time.
    @Test func expiresAtTheExactSecond() throws {
        let expiry = Timestamp(secondsSinceEpoch: 1_700_000_300)
        #expect(try trial.refusal(at: expiry - .milliseconds(1)) == nil)
        #expect(try trial.refusal(at: expiry) == .expired)
        #expect(try trial.refusal(at: expiry + .milliseconds(1)) == .expired)
    }

    /// RFC 7519 section 4.1.5: the current date/time MUST be after or equal to the not-before date/time.
    @Test func becomesValidAtTheExactSecond() throws {
        let start = Timestamp(secondsSinceEpoch: 1_700_000_100)
        #expect(try trial.refusal(at: start - .milliseconds(1)) { $0["nbf"] = 1_700_000_100 } == .notYetValid)
        #expect(try trial.refusal(at: start) { $0["nbf"] = 1_700_000_100 } == nil)
    }

    @Test func refusesATokenFromTheFuture() throws {
        let issued = Timestamp(secondsSinceEpoch: 1_700_000_100)
        #expect(try trial.refusal(at: issued - .milliseconds(1)) { $0["iat"] = 1_700_000_100 } == .issuedInTheFuture)
        #expect(try trial.refusal(at: issued) { $0["iat"] = 1_700_000_100 } == nil)
    }

    @Test func leewayMovesEveryEdgeByItsLength() throws {
        var policy = trial.policy
        policy.leeway = .seconds(30)
        let expiry = Timestamp(secondsSinceEpoch: 1_700_000_330)
        #expect(try trial.refusal(policy, at: expiry - .milliseconds(1)) == nil)
        #expect(try trial.refusal(policy, at: expiry) == .expired)
        let start = Timestamp(secondsSinceEpoch: 1_700_000_070)
        #expect(try trial.refusal(policy, at: start) { $0["nbf"] = 1_700_000_100 } == nil)
        #expect(try trial.refusal(policy, at: start - .milliseconds(1)) { $0["nbf"] = 1_700_000_100 } == .notYetValid)
        #expect(try trial.refusal(policy, at: start) { $0["iat"] = 1_700_000_100 } == nil)
        #expect(
            try trial.refusal(policy, at: start - .milliseconds(1)) { $0["iat"] = 1_700_000_100 } == .issuedInTheFuture)
    }

    @Test func limitsTheAge() throws {
        var policy = trial.policy
        policy.maximumAge = .seconds(60)
        let last = Timestamp(secondsSinceEpoch: 1_699_999_990 + 60)
        #expect(try trial.refusal(policy, at: last) == nil)
        #expect(try trial.refusal(policy, at: last + .milliseconds(1)) == .tooOld)
        #expect(try trial.refusal(policy) { $0["iat"] = nil } == .missingClaim("iat"))
        policy.leeway = .seconds(5)
        #expect(try trial.refusal(policy, at: last + .seconds(5)) == nil)
        #expect(try trial.refusal(policy, at: last + .milliseconds(5001)) == .tooOld)
    }

    /// What was verified once is judged anew by time and policy.
    @Test func judgesAVerifiedTokenAtAnotherTimeAndByAnotherPolicy() throws {
        let token = try JWTSigner(key: trial.key, type: nil).sign(trial.good)
        let verified = try trial.policy.verify(token, keys: TestKeys.everything, at: trial.now)
        let expiry = Timestamp(secondsSinceEpoch: 1_700_000_300)
        try trial.policy.requireClaims(of: verified, at: expiry - .milliseconds(1))
        #expect(throws: JWTError.expired) { try trial.policy.requireClaims(of: verified, at: expiry) }
        #expect(throws: JWTError.issuedInTheFuture) {
            try trial.policy.requireClaims(of: verified, at: Timestamp(secondsSinceEpoch: 1_699_999_989))
        }
        var policy = trial.policy
        policy.audience = .oneOf(["nobody"])
        #expect(throws: JWTError.wrongAudience) { try policy.requireClaims(of: verified, at: trial.now) }
        policy.issuer = .exactly("https://other.example")
        #expect(throws: JWTError.wrongIssuer) { try policy.requireClaims(of: verified, at: trial.now) }
        policy.requiredClaims = ["jti"]
        #expect(throws: JWTError.missingClaim("jti")) { try policy.requireClaims(of: verified, at: trial.now) }
    }

    @Test(arguments: ["exp", "nbf", "iat"], [#""1700000000""#, "true", "null", "[]", "{}", "[1700000000]"])
    func refusesADateThatIsNotANumber(_ name: String, value: String) throws {
        #expect(throws: JWTError.claimOfWrongType(name)) { try trial.claims(text: #"{"\#(name)":\#(value)}"#) }
    }

    @Test(
        arguments: ["exp", "nbf", "iat"],
        [
            "-1", "-0.001", "-1e-300", "253402300800", "1e300", "1e12", "9223372036854775807", "9223372036854775808",
            "99999999999999999999999999999999", "1e999", "1e99999999999999999999", "253402300799.9999999",
            "1e-1001", "1e1001", "1e-9223372036854775808", "1e9223372036854775807", "0e-9223372036854775808",
        ])
    func refusesADateOutOfRange(_ name: String, value: String) throws {
        #expect(throws: JWTError.dateOutOfRange(name)) { try trial.claims(text: #"{"\#(name)":\#(value)}"#) }
    }

    static let dates: [(String, Int64)] = [
        ("0", 0), ("-0", 0), ("-0.0", 0), ("0e1000", 0), ("1", 1000), ("1.0", 1000), ("1.5", 1500), ("1.0005", 1001),
        ("1.0000000000000000001", 1001), ("0.1e1", 1000), ("15e-1", 1500), ("1.7e9", 1_700_000_000_000),
        ("1700000000.123", 1_700_000_000_123), ("1700000000.1230", 1_700_000_000_123),
        ("1700000000.1230001", 1_700_000_000_124), ("1e-9", 1), ("1e-1000", 1), ("0.0009", 1),
        ("253402300799", 253_402_300_799_000), ("253402300799.999", 253_402_300_799_999),
    ]

    /// RFC 7519 section 2: non-integer values can be represented. Nothing is lost to floating point: a clock of
    /// milliseconds is before the date exactly when it is before the date rounded up.
    @Test(arguments: dates)
    func readsFractionsExactly(_ text: String, milliseconds: Int64) throws {
        let token = try Forgery.compact(header: #"{"alg":"HS256"}"#, payload: #"{"exp":\#(text)}"#, key: trial.key)
        let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked)
        let expiry = Timestamp(millisecondsSinceEpoch: milliseconds)
        #expect(throws: JWTError.expired) { try policy.verify(token, keys: TestKeys.everything, at: expiry) }
        let verified = try policy.verify(token, keys: TestKeys.everything, at: expiry - .milliseconds(1))
        #expect(verified.claims.expires == expiry)
    }
}
