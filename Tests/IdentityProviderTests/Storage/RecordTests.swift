import IdentityProvider
import OAuth
import Primitives
import Testing

/// What an engine keeps comes back as it was, and nothing else comes back at all.
@Suite struct RecordTests {
    private static let rounds = 60

    /// Everything that can be seen of a value, whatever it is made of.
    private static func picture(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    private func check<Record: StoredRecord>(_ make: (inout RandomRecords) -> Record) throws {
        var random = RandomRecords(seed: 7)
        for _ in 0..<Self.rounds {
            let record = make(&random)
            let bytes = record.encoded
            let same = try Record(encoded: bytes)
            #expect(Self.picture(same) == Self.picture(record))
            #expect(same.encoded == bytes)
        }
        let bytes = make(&random).encoded
        for count in 0..<bytes.count {
            #expect(throws: RecordError.self, "cut after \(count) bytes") {
                try Record(encoded: Array(bytes[..<count]))
            }
        }
        #expect(throws: RecordError.malformed) { try Record(encoded: bytes + [0]) }
        #expect(throws: RecordError.unknownVersion(Record.recordVersion + 1)) {
            try Record(encoded: [Record.recordVersion + 1] + bytes.dropFirst())
        }
        try damage(Record.self, bytes, &random)
    }

    /// Bytes that are changed are refused, or are another record: never a trap.
    private func damage<Record: StoredRecord>(
        _: Record.Type, _ bytes: [UInt8], _ random: inout RandomRecords
    ) throws {
        for index in bytes.indices.dropFirst() {
            var changed = bytes
            changed[index] = UInt8(truncatingIfNeeded: random.number())
            do throws(RecordError) { _ = try Record(encoded: changed).encoded } catch { continue }
        }
    }

    @Test func families() throws { try check { $0.family() } }
    @Test func terms() throws { try check { $0.terms() } }
    @Test func logins() throws { try check { $0.login() } }
    @Test func codes() throws { try check { $0.code() } }
    @Test func accessTokens() throws { try check { $0.accessToken() } }
    @Test func devices() throws { try check { $0.device() } }
    @Test func pushedRequests() throws { try check { $0.pushedRequest() } }
    @Test func interactions() throws { try check { $0.interaction() } }

    /// Each member has a text of its own, so that none can come back in the place of another.
    @Test func requestsOfClients() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let query = AuthorizationQuery([
            "scope": "openid email", "nonce": "a nonce", "max_age": "100", "prompt": "login", "display": "popup",
            "claims": #"{"id_token":{"auth_time":{"essential":true}}}"#, "ui_locales": "ko en", "acr_values": "gold",
            "login_hint": "alice", "resource": "https://api.example/",
            "dpop_jkt": Base64URL.encode([UInt8](repeating: 7, count: 32)),
        ])
        let page = try await Browser(idp).open(query.path)
        let id = try #require(page.form?.fields.first { $0.name == "interaction" }?.value)
        let kept = try await idp.context.store.changeInteraction(InteractionID(id), at: idp.clock.now()) { $0 }
        let interaction = try #require(kept)
        let bytes = interaction.encoded
        let same = try Interaction(encoded: bytes)
        #expect(same.encoded == bytes)
        guard case .authorization(let request) = same.purpose else {
            Issue.record("the sign-in of a client is for its request")
            return
        }
        #expect(request.clientID == "web")
        #expect(request.target.redirectURI.text == AuthorizationQuery.redirectURI)
        #expect(request.target.state == "xyz")
        #expect(request.scope.text == "openid email")
        #expect(request.resources == ["https://api.example/"])
        #expect(request.proofKeyThumbprint == query["dpop_jkt"])
        #expect(request.nonce == "a nonce")
        #expect(request.loginHint == "alice")
        #expect(request.idTokenHint == nil && request.hintedSubject == nil)
        #expect(request.contextClasses == ["gold"])
        #expect(request.uiLocales == "ko en")
        #expect(request.claims?.idToken["auth_time"] != nil)
    }

    @Test func consents() throws { try check { $0.consent() } }
    @Test func registrations() throws { try check { $0.registration() } }
    @Test func stays() throws { try check { $0.stayRecord() } }

    /// The union of several scopes may be longer than any that a request may name.
    @Test func aScopeThatGrewIsKept() throws {
        var consent = RememberedConsent()
        for index in 0..<5 {
            let tokens = (0..<40).map { "scope-\(index)-\($0)" }.joined(separator: " ")
            let scope = try Scope(parsing: tokens)
            consent.note(scope, of: scope, for: [])
        }
        let same = try RememberedConsent(encoded: consent.encoded)
        #expect(same.scope(for: [])?.tokens.count == 200)
    }

    /// What is copied from the bytes of before is what would have been written.
    @Test func whatTakesThePlaceOfAnotherIsWrittenAsIfItWereNew() throws {
        var random = RandomRecords(seed: 9)
        var longest = 0
        for _ in 0..<Self.rounds {
            let written = random.family().encoded
            let former = try Family(encoded: written)
            let other = random.family()
            var next = former
            next.rotation = other.rotation
            next.ended = other.ended
            #expect(next.encoded(inPlaceOf: former, written: written[...]) == next.encoded)
            // All else being the same, but not the terms.
            var stranger = other
            stranger.rotation = former.rotation
            stranger.ended = former.ended
            #expect(stranger.encoded(inPlaceOf: former, written: written[...]) == stranger.encoded)
            // That they are copied shows where the bytes are those of others.
            let mixed = try Family(encoded: next.encoded(inPlaceOf: former, written: stranger.encoded[...]))
            #expect(mixed.rotation == next.rotation && mixed.id == stranger.id)
            longest = max(longest, former.rotation.binary.count)
        }
        #expect(longest >= 128, "no length of two bytes was passed over")
    }

    /// What a record of a family would be whose rotation has these bytes.
    private static func family(rotating bytes: [UInt8]) -> [UInt8] {
        var random = RandomRecords(seed: 3)
        let family = Family(random.terms())
        var writer = RecordWriter()
        writer.byte(Family.recordVersion)
        writer.blob(bytes)
        writer.byte(0)
        family.terms.write(to: &writer)
        return writer.bytes
    }

    /// What an older program has written is written anew in the present form.
    @Test func aRotationOfTheFirstFormIsPassedOver() throws {
        let written = Self.family(rotating: [1, 0, 3, 1, 3, 2, 0, 1, 2, 3, 0, 5, 3])
        let former = try Family(encoded: written)
        var next = former
        next.end(.revoked, at: Timestamp(secondsSinceEpoch: 1))
        #expect(former.rotation.count == 3)
        #expect(next.encoded(inPlaceOf: former, written: written[...]) == next.encoded)
    }

    @Test func refusesARotationOfALaterProgram() {
        #expect(throws: RecordError.unknownVersion(3)) { try Family(encoded: Self.family(rotating: [3, 0, 0, 0, 0])) }
        #expect(throws: RecordError.malformed) { try Family(encoded: Self.family(rotating: [2, 0, 0, 0, 0, 0])) }
        #expect(throws: RecordError.malformed) { try Family(encoded: Self.family(rotating: [2, 0, 0, 0])) }
    }

    @Test func readsAPartOfWhatThereIs() throws {
        var random = RandomRecords(seed: 5)
        let family = random.family()
        let bytes = [9, 9] + family.encoded + [9]
        let same = try Family(encoded: bytes.dropFirst(2).dropLast())
        #expect(same.encoded == family.encoded)
        #expect(same.encoded(inPlaceOf: same, written: bytes.dropFirst(2).dropLast()) == family.encoded)
    }

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384])
    func whatIsMeasuredStandsBehindItsLength(count: Int) throws {
        let content = [UInt8](repeating: 7, count: count)
        var writer = RecordWriter()
        writer.measured { $0.raw(content) }
        writer.byte(9)
        var asBlob = RecordWriter()
        asBlob.blob(content)
        #expect(writer.bytes == asBlob.bytes + [9])
        var reader = RecordReader(writer.bytes)
        #expect(try reader.measured(upTo: count) { reader throws(RecordError) in try reader.raw(count) } == content)
        #expect(try reader.byte() == 9)
    }

    /// Neither more than there is, though more follow, nor less.
    @Test(arguments: [1, 3]) func whatIsMeasuredIsReadToItsEnd(count: Int) {
        var reader = RecordReader([2, 7, 7, 7])
        #expect(throws: RecordError.malformed) {
            try reader.measured(upTo: 3) { reader throws(RecordError) in try reader.raw(count) }
        }
        // The bound was that of the measured part alone.
        #expect(reader.rest.last == 7 && reader.rest.endIndex == 4)
    }

    /// Before anything of it is read.
    @Test func whatIsMeasuredIsNoLongerThanItMayBe() {
        var reader = RecordReader([2, 7, 7])
        #expect(throws: RecordError.malformed) {
            try reader.measured(upTo: 1) { reader throws(RecordError) in try reader.raw(2) }
        }
        #expect(reader.rest == [7, 7])
    }

    @Test func whatIsPassedOverIsThereAndNoMoreIs() throws {
        var reader = RecordReader([2, 7, 7, 9])
        try reader.passMeasured()
        #expect(reader.rest == [9])
        #expect(throws: RecordError.malformed) { try reader.passMeasured() }
    }

    @Test func refusesATextThatIsNotUTF8() {
        var writer = RecordWriter()
        writer.blob([0xC3, 0x28])
        var reader = RecordReader(writer.bytes)
        #expect(throws: RecordError.malformed) { try reader.text() }
    }

    @Test(
        arguments: [[0x80, 0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], [0x80]] as [[UInt8]])
    func refusesANumberInAnotherForm(bytes: [UInt8]) {
        var reader = RecordReader(bytes)
        #expect(throws: RecordError.malformed) { try reader.number() }
    }

    @Test(arguments: [0, 1, 127, 128, 300, UInt64(UInt32.max), .max] as [UInt64])
    func readsNumbersAsTheyWereWritten(number: UInt64) throws {
        var writer = RecordWriter()
        writer.number(number)
        writer.signed(Int64(bitPattern: number))
        var reader = RecordReader(writer.bytes)
        #expect(try reader.number() == number)
        #expect(try reader.signed() == Int64(bitPattern: number))
        #expect(reader.isAtEnd)
    }
}
