import Cookies
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct SessionRecordTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private static let credential = Credential(
        generation: 7, presentation: Presentation(of: 6, attempt: 3), accessToken: Secret(utf8: "a"), tokenType: "DPoP",
        expires: now, refreshAfter: now - .seconds(9),
        refreshToken: Secret(utf8: "r\"\\é"), scope: try! Scope(parsing: "openid profile"), idToken: Secret(utf8: "i"),
        skew: .milliseconds(-61_250), dpopKey: Secret([0, 1, 255]),
        cookies: [
            Cookie(
                name: "__Host-a", value: "r\"\\é", domain: "app.example", expires: now, isSecure: true,
                isHTTPOnly: true,
                sameSite: .lax, at: now)
        ])

    private static let records: [SessionRecord] = {
        let failures: [Rotation.Failure.Cause] = [
            .refused(code: "invalid_client"), .unavailable(.offline), .unavailable(.unreadable),
            .unavailable(.cancelled), .unavailable(.server(status: 503)),
        ]
        let rotations: [Rotation?] =
            [
                nil,
                Rotation(
                    holder: "h", leaseEnds: now, claimed: now - .seconds(2), began: now - .seconds(1), attempts: 3),
            ]
            + failures.map { cause in
                Rotation(
                    holder: "h", leaseEnds: nil, claimed: now, began: now, attempts: 1,
                    failure: Rotation.Failure(cause, retryAt: now + .seconds(1)))
            }
        let reasons: [SignOut.Reason] = [.never, .user, .expired, .refused(code: "invalid_grant")]
        return rotations.map {
            SessionRecord(
                epoch: 1 << 59, content: .signedIn(credential), rotation: $0,
                gone: [Cookie.Identity(name: "b", domain: "example", isHostOnly: false, path: "/x")])
        }
            + reasons.map { SessionRecord(epoch: 2, content: .signedOut(SignOut($0, at: now))) }
            + [
                SessionRecord(
                    epoch: 0,
                    content: .signedIn(Credential(generation: 1, accessToken: Secret(utf8: "a"), tokenType: "Bearer"))),
                SessionRecord(epoch: 0, content: .signedOut(SignOut(.never))),
            ]
    }()

    @Test func comesBackAsItWasWritten() throws {
        for record in Self.records { #expect(try SessionRecord(encoded: record.encoded) == record) }
    }

    @Test func aRecordThatWasCutOffIsRefused() {
        for record in Self.records {
            let bytes = record.encoded
            for count in 0..<bytes.count {
                #expect(throws: SessionStoreError.self) { try SessionRecord(encoded: Array(bytes[..<count])) }
            }
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"format":0,"epoch":"1","signed_out":{"reason":"user"}}"#,
        #"{"format":1,"epoch":1,"signed_out":{"reason":"user"}}"#,
        #"{"format":1,"epoch":"-1","signed_out":{"reason":"user"}}"#, #"{"format":1,"epoch":"1"}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"tired"}}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"signed_in":{}}"#,
        #"{"format":1,"epoch":"1","signed_in":{"generation":"1","token_type":"Bearer","skew":0}}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"rotation":{}}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"rotation":7}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"gone":[{"name":"a"}]}"#,
        #"{"format":1,"epoch":"1","signed_in":{"generation":"1","access_token":"a","token_type":"Cookie","skew":0,"cookies":[{}]}}"#,
        #"{"format":1,"epoch":"1","signed_in":{"generation":"2","access_token":"a","token_type":"Bearer","skew":0,"presentation":{"attempt":1}}}"#,
        // What would be too much for whoever counts on.
        #"{"format":1,"epoch":"18446744073709551615","signed_out":{"reason":"user"}}"#,
        #"{"format":1,"epoch":"1","signed_in":{"generation":"18446744073709551615","access_token":"a","token_type":"B","skew":0}}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"rotation":{"holder":"h","claimed":1,"began":1,"attempts":9223372036854775807}}"#,
        #"{"format":1,"epoch":"1","signed_out":{"reason":"user"},"rotation":{"holder":"h","claimed":1,"began":1,"attempts":-1}}"#,
        "null", "[]",
    ])
    func anIncompleteRecordIsRefused(text: String) {
        #expect(throws: SessionStoreError.self) { try SessionRecord(encoded: Array(text.utf8)) }
    }

    @Test func aRecordOfANewerProgramIsRefusedAndSaysSo() {
        #expect(throws: SessionStoreError.corrupt(reason: "a newer program has written it")) {
            try SessionRecord(encoded: Array(#"{"format":2,"epoch":"1","signed_out":{"reason":"user"}}"#.utf8))
        }
    }

    @Test func printsNoSecret() {
        for record in Self.records { #expect(!String(reflecting: record).contains("r\"\\é")) }
    }

    // C4: what was there is taken away by whoever has a copy.

    private func record(gone: [String], having names: [String]) -> SessionRecord {
        let cookies = names.map { Cookie(name: $0, value: "1", domain: "app.example", at: Self.now) }
        let credential = Credential(
            generation: 1, accessToken: Secret(utf8: "a"), tokenType: "Cookie", cookies: cookies)
        return SessionRecord(
            epoch: 1, content: .signedIn(credential),
            gone: gone.map { Cookie.Identity(name: $0, domain: "app.example") })
    }

    private func gone(_ record: SessionRecord, with names: [String]) -> [String] {
        record.gone(with: names.map { Cookie(name: $0, value: "2", domain: "app.example", at: Self.now) }).map(\.name)
    }

    @Test func whatDoesNotComeAgainIsGoneAndWhatComesAgainIsNot() {
        let record = record(gone: ["long", "back"], having: ["stays", "goes"])
        #expect(gone(record, with: ["stays", "back"]) == ["long", "goes"])
        #expect(gone(record, with: []) == ["long", "back", "stays", "goes"])
    }

    @Test func whatIsGoneIsNamedOnceAndOnlyTheLatestAre() {
        #expect(gone(record(gone: ["a"], having: ["a", "b"]), with: []) == ["a", "b"])
        let many = (0..<70).map { "c\($0)" }
        #expect(gone(record(gone: many, having: ["last"]), with: []) == Array((many + ["last"]).suffix(64)))
    }
}
