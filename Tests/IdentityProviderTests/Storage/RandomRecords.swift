import IdentityProvider
import OAuth
import Primitives

/// Makes records of every kind, the same ones from the same seed.
struct RandomRecords {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func number() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func below(_ limit: Int) -> Int { Int(number() % UInt64(limit)) }
    private mutating func flag() -> Bool { below(2) == 0 }

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? { flag() ? make(&self) : nil }

    private mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<below(4)).map { _ in make(&self) }
    }

    private mutating func text() -> String {
        let pieces = [
            "", "alice", "\u{E9}", "e\u{301}", "https://app.example/a?b=c", "\u{0}", "한국어", "\"\\", "\u{1F511}",
        ]
        return (0..<below(3)).map { _ in pieces[below(pieces.count)] }.joined()
    }

    private mutating func moment() -> Timestamp {
        let edges: [Int64] = [0, -1, .min, .max, 1_700_000_000_123]
        return Timestamp(
            millisecondsSinceEpoch: flag() ? edges[below(edges.count)] : Int64(bitPattern: number() >> 20))
    }

    private mutating func scope() -> Scope {
        let words = ["openid", "profile", "offline_access", "read", "a:b/c"]
        let text = (0..<below(4)).map { _ in words[below(words.count)] }.joined(separator: " ")
        return (try? Scope(parsing: text)) ?? .empty
    }

    private mutating func json(_ depth: Int = 2) -> JSON {
        switch below(depth > 0 ? 6 : 4) {
        case 0: .null
        case 1: .bool(flag())
        case 2: .number(JSONNumber(Int64(bitPattern: number())))
        case 3: .string(text())
        case 4: .array(list { $0.json(depth - 1) })
        default: .object(object(depth - 1))
        }
    }

    private mutating func object(_ depth: Int = 2) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<below(4) { object[text()] = json(depth) }
        return object
    }

    private mutating func familyID() -> FamilyID {
        FamilyID(bytes: (0..<FamilyID.byteCount).map { _ in UInt8(truncatingIfNeeded: number()) })!
    }

    private mutating func digest() -> TokenDigest { TokenDigest(of: text()) }

    private mutating func confirmation() -> Confirmation {
        flag() ? .proofKey(thumbprint: text()) : .certificate(thumbprint: text())
    }

    private mutating func authentication() -> Authentication {
        Authentication(at: moment(), methods: list { $0.text() }, contextClass: maybe { $0.text() })
    }

    private mutating func claimsRequest() -> ClaimsRequest {
        let texts = [
            "{}", #"{"userinfo":{"email":null,"a\u0000":{"essential":true}}}"#,
            #"{"id_token":{"acr":{"essential":true,"values":["1",2,{"a":[null]}]},"sub":{"value":"alice"}}}"#,
        ]
        return try! ClaimsRequest(parsing: texts[below(texts.count)])
    }

    private mutating func challenge() -> CodeChallenge {
        CodeChallenge(method: flag() ? .s256 : .plain, value: String(repeating: "a", count: 43 + below(80)))!
    }

    private mutating func ending() -> Family.Ending {
        Family.Ending(
            Family.Reason.allCases[below(Family.Reason.allCases.count)], at: moment(),
            reach: Family.Reach.allCases[below(Family.Reach.allCases.count)])
    }

    private mutating func stay() -> Int { below(3) - 1 }

    mutating func terms() -> FamilyTerms {
        FamilyTerms(
            id: familyID(), clientID: text(), userID: text(), scope: scope(), resources: list { $0.text() },
            loginID: maybe { LoginID($0.text()) }, endsWithLogin: flag(), authentication: maybe { $0.authentication() },
            nonce: maybe { $0.text() }, claimsRequest: maybe { $0.claimsRequest() }, loginClaims: object(),
            confirmation: maybe { $0.confirmation() }, actor: maybe { $0.json() }, began: moment(),
            expires: maybe { $0.moment() }, stays: maybe { Stays(user: $0.stay(), client: $0.stay()) },
            origin: maybe { $0.familyID() })
    }

    mutating func family() -> Family {
        var family = Family(terms())
        let begun = Timestamp(secondsSinceEpoch: 1_700_000_000)
        if flag() { family.rotation.begin(at: begun) }
        // Some remember what was replaced, and some fork.
        let policies = ["strict", "okta,window=1h", "supabase,window=1h", "wso2,window=1h"]
        let policy = try! RotationPolicy(parsing: policies[below(policies.count)])
        for step in 0..<below(24) where family.rotation.current > 0 {
            let newest = family.rotation.count
            let node = newest - UInt32(below(min(3, Int(newest))))
            _ = policy.judge(&family, presenting: node, at: begun + .seconds(Int64(step)))
            family.ended = nil
        }
        family.ended = maybe { $0.ending() }
        return family
    }

    mutating func login() -> Login {
        var login = Login(
            id: LoginID(text()), userID: text(), authentication: authentication(), claims: object(), expires: moment())
        login.userStay = maybe { $0.stay() }
        login.clientIDs = list { $0.text() }
        // One at most: the picture of a dictionary has no order.
        if flag() { login.issuers = [text(): text()] }
        login.neededUntil = moment()
        login.ended = maybe { $0.ending() }
        login.secretDigest = maybe { $0.digest() }
        return login
    }

    mutating func code() -> AuthorizationCode {
        var code = AuthorizationCode(
            terms: terms(), redirectURI: maybe { $0.text() }, challenge: maybe { $0.challenge() },
            proofKeyThumbprint: maybe { $0.text() }, hasBegunFamily: flag(), expires: moment())
        code.isConsumed = flag()
        return code
    }

    mutating func accessToken() -> AccessTokenRecord {
        AccessTokenRecord(
            AccessTokenFacts(
                identifier: text(), clientID: text(), subject: text(), familyID: maybe { $0.familyID() },
                scope: scope(), audience: list { $0.text() }, issuedAt: moment(), expires: moment(),
                confirmation: maybe { $0.confirmation() }, claims: object()))
    }

    mutating func device() -> DeviceAuthorization {
        var device = DeviceAuthorization(
            clientID: text(), userCode: text(), scope: scope(), resources: list { $0.text() },
            confirmation: maybe { $0.confirmation() }, interval: .milliseconds(below(100_000)), expires: moment(),
            clientStay: maybe { $0.stay() })
        switch below(4) {
        case 0: device.decision = .denied
        case 1: device.decision = .approved(terms())
        case 2: device.decision = .redeemed
        default: device.decision = .pending
        }
        device.lastPoll = maybe { $0.moment() }
        return device
    }

    mutating func pushedRequest() -> PushedRequest {
        let pairs = list { (name: "n" + $0.text(), value: $0.text()) }
        return PushedRequest(
            clientID: text(), parameters: FormParameters(pairs), expires: moment(), clientStay: maybe { $0.stay() })
    }

    /// Of a page: those of clients are made by requests, in ``RecordTests/requestsOfClients()``.
    mutating func interaction() -> Interaction {
        var interaction = Interaction(
            id: InteractionID(text()), purpose: .page(text()), browser: maybe { $0.digest() }, began: moment(),
            expires: moment())
        interaction.progress.authenticated = maybe { LoginID($0.text()) }
        interaction.progress.account = maybe { LoginID($0.text()) }
        return interaction
    }

    mutating func stayRecord() -> StayRecord {
        StayRecord(StayRecord.Kind.allCases[below(StayRecord.Kind.allCases.count)], text(), stay())
    }

    mutating func registration() -> Registration {
        Registration(
            clientID: text(), stay: stay(), revision: below(5), secretNumber: below(5), accessTokenDigest: digest(),
            registered: moment(),
            metadata: object())
    }

    mutating func consent() -> RememberedConsent {
        var consent = RememberedConsent()
        for _ in 0..<below(4) {
            let scope = scope()
            consent.note(scope, of: scope, for: list { $0.text() })
        }
        return consent
    }
}
