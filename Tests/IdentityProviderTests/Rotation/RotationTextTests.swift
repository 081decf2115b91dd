import IdentityProvider
import OAuth
import Primitives
import Testing

/// Policies as people write them.
@Suite struct RotationTextTests {
    @Test(arguments: RotationPolicy.profiles)
    func aProfileIsItsName(policy: RotationPolicy) throws {
        #expect(policy.text == policy.profile)
        #expect(try RotationPolicy(parsing: policy.profile) == policy)
        #expect(policy.turnedKnobs.isEmpty)
    }

    @Test func readsWhatIsTurned() throws {
        let policy = try RotationPolicy(parsing: "okta, window = 5s ,count=3")
        #expect(policy.window == .seconds(5))
        #expect(policy.count == 3)
        #expect(policy.text == "okta,window=5s,count=3")
        var expected = RotationPolicy.okta
        expected.window = .seconds(5)
        expected.count = 3
        #expect(policy == expected)
    }

    @Test func aKnobTurnedToWhereItWasIsNotWritten() throws {
        #expect(try RotationPolicy(parsing: "okta,window=30s,rotate=always").text == "okta")
        #expect(try RotationPolicy(parsing: "okta,window=1m30s").text == "okta,window=1m30s")
        #expect(try RotationPolicy(parsing: "okta,window=90s").text == "okta,window=1m30s")
    }

    /// Every knob in every position that it has, from every profile.
    private static let positions: [String: [String]] = [
        "rotate": ["never", "always", "public", "1%", "70%", "100%", "public+1%", "public+100%"],
        "rotate-until": ["always", "0s", "1ms", "365d6h"],
        "young": ["rotated", "kept"],
        "pair": ["kept", "ended"],
        "replay": ["reject", "retry", "same", "current", "new", "access"],
        "ancestors": ["parent", "any", "parent-always"],
        "window": ["0s", "1ms", "5s", "5m", "30d", "unlimited"],
        "count": ["0", "1", "65534", "unlimited"],
        "use-closes": ["no", "yes"],
        "siblings": ["kept", "replaced"],
        "race": ["replay", "retry"],
        "revoke": ["nothing", "token", "family", "family+access", "grant"],
        "error": ["invalid_grant", "invalid_request", "refresh_token_already_used"],
        "status": ["400", "401", "409", "503", "599"],
        "headers": ["none", "Retry-After:1", "A:b c;X-Y_z:=!"],
        "cause-header": ["none", "sb-auth-refresh-token-reuse-cause", "X-Cause"],
        "idle": ["none", "1s", "14d"],
        "idle-extends": ["no", "yes", "new-token"],
        "absolute": ["none", "1s", "365d"],
    ]

    @Test func everyKnobHasPositions() {
        #expect(Set(Self.positions.keys) == Set(RotationKnob.all.map(\.name)))
        #expect(Set(RotationKnob.all.map(\.name)).count == RotationKnob.all.count)
    }

    @Test(arguments: RotationPolicy.profiles)
    func printingIsTheInverseOfReading(profile: RotationPolicy) throws {
        for (knob, values) in Self.positions {
            for value in values {
                let policy = try RotationPolicy(parsing: "\(profile.profile),\(knob)=\(value)")
                #expect(try RotationPolicy(parsing: policy.text) == policy)
                #expect(RotationKnob.named(knob)?.write(policy) == value)
                #expect(policy.text == profile.profile || policy.text == "\(profile.profile),\(knob)=\(value)")
            }
        }
        let random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var text = profile.profile
            for knob in RotationKnob.all {
                let dice = random.bytes(2)
                guard dice[0] % 3 == 0, let values = Self.positions[knob.name] else { continue }
                text += ",\(knob.name)=\(values[Int(dice[1]) % values.count])"
            }
            let policy = try RotationPolicy(parsing: text)
            #expect(try RotationPolicy(parsing: policy.text) == policy)
            #expect(try RotationPolicy(parsing: policy.text).text == policy.text)
        }
    }

    @Test(arguments: [
        ("otka", "okta"), ("OKTA", "okta"), ("supabse", "supabase"), ("oidc", "oidc-provider"), ("key", "keycloak"),
        ("auth", "auth0"),
    ])
    func suggestsAProfile(text: String, near: String) {
        #expect(throws: RotationPolicy.TextError.unknownProfile(suggestion: near)) { try RotationPolicy(parsing: text) }
    }

    @Test(arguments: ["", " ", ",", "window=5s", "=", "okta window=5s", "nothing at all", "okta;window=5s"])
    func refusesWhatIsNoProfile(text: String) {
        #expect {
            try RotationPolicy(parsing: text)
        } throws: { error in
            if case .unknownProfile? = error as? RotationPolicy.TextError { true } else { false }
        }
    }

    @Test(arguments: [("okta,windo=5s", "window"), ("okta,Window=5s", "window"), ("okta,idel=1h", "idle")])
    func suggestsAKnob(text: String, near: String) {
        #expect(throws: RotationPolicy.TextError.unknownKnob(suggestion: near)) { try RotationPolicy(parsing: text) }
    }

    @Test(arguments: ["okta,", "okta,,window=5s", "okta,=5s", "okta,5s", "okta,supabase"])
    func refusesWhatIsNoKnob(text: String) {
        #expect {
            try RotationPolicy(parsing: text)
        } throws: { error in
            if case .unknownKnob? = error as? RotationPolicy.TextError { true } else { false }
        }
    }

    @Test(arguments: [
        "rotate=", "rotate=sometimes", "rotate=0%", "rotate=101%", "rotate=70", "rotate=+7%", "rotate=07%",
        "rotate=public+", "rotate=public+x%", "rotate=public70%", "window", "window=", "window=5", "window=-5s",
        "window=5 s", "window=none", "window=forever", "count=-1", "count=+1", "count=01", "count=65535", "count=1.5",
        "count=", "replay=any", "replay=NEW", "ancestors=grandparent", "use-closes=true", "siblings=both", "race=win",
        "revoke=all", "revoke=family ", "error=", "error=Invalid", "error=invalid grant", "error=a\"b", "status=200",
        "status=399", "status=600", "status=4e2", "headers=", "headers=A", "headers=:b", "headers=A:", "headers=A:b;",
        "headers=A: b", "headers=A B:c", "headers=Content-Length:1", "headers=transfer-encoding:chunked",
        "headers=Set-Cookie:a", "headers=A:b\nC:d", "headers=\u{11}:b", "cause-header=", "cause-header=a:b",
        "cause-header=a b", "cause-header=Content-Type", "idle=", "idle=0", "idle-extends=maybe", "absolute=year",
        "headers=Cache-Control:public", "headers=Access-Control-Allow-Origin:*", "headers=vary:x", "headers=Location:x",
        "headers=A:b;WWW-Authenticate:c", "cause-header=Pragma", "cause-header=Access-Control-Allow-Credentials",
        "idle=0s", "absolute=0s", "absolute=0ms", "young=yes", "pair=true", "rotate-until=never",
    ])
    func refusesAValueThatAKnobDoesNotTake(text: String) throws {
        // A space at the end is none of the value.
        guard text != "revoke=family " else {
            _ = try RotationPolicy(parsing: "okta," + text)
            return
        }
        let name = String(text.prefix { $0 != "=" })
        let knob = try #require(RotationKnob.named(name))
        #expect(throws: RotationPolicy.TextError.badValue(knob: name, allowed: knob.values)) {
            try RotationPolicy(parsing: "okta," + text)
        }
    }

    @Test func refusesAKnobGivenTwice() {
        #expect(throws: RotationPolicy.TextError.knobGivenTwice("window")) {
            try RotationPolicy(parsing: "okta,window=5s,window=5s")
        }
    }

    /// Texts that are the same to Unicode are not the same text.
    @Test(arguments: ["okt\u{61}\u{301}", "\u{212A}eycloak", "okta,window=5\u{FF53}", "okta,headers=A:b\u{37E}C:d"])
    func refusesWhatIsNotASCII(text: String) {
        #expect(throws: RotationPolicy.TextError.notASCII) { try RotationPolicy(parsing: text) }
    }

    @Test func refusesATextWithoutEnd() {
        let text = "okta,headers=A:" + String(repeating: "b", count: RotationPolicy.maximumTextByteCount)
        #expect(throws: RotationPolicy.TextError.tooLong) { try RotationPolicy(parsing: text) }
    }

    /// An error tells what would be right, and nothing of what was sent.
    @Test func errorsSayWhatWouldBeRight() {
        func error(_ text: String) -> String {
            do throws(RotationPolicy.TextError) {
                return try RotationPolicy(parsing: text).text
            } catch {
                return error.description
            }
        }
        #expect(error("otka").contains("did you mean okta?"))
        #expect(error("zzzzzzzzz").contains("strict, reuse, okta"))
        #expect(error("okta,windw=1s").contains("did you mean window?"))
        #expect(error("okta,zzzzzzzz=1s").contains("rotate-until"))
        #expect(error("okta,replay=zzz") == "replay takes: reject, retry, same, current, new, access")
        #expect(!error("okta,window=secret").contains("secret"))
    }
}
