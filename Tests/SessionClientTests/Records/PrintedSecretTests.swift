import Cookies
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// Whatever a developer prints, logs or dumps: no token, key or cookie is in it.
@Suite struct PrintedSecretTests {
    private static let word = "Seekrit-7f3a91"
    private static let now = LoginFixtures.now

    private var secret: Secret { Secret(utf8: Self.word) }

    private var cookie: Cookie { Cookie(name: "a", value: Self.word, domain: "app.example", at: Self.now) }

    private var grant: TokenGrant {
        TokenGrant(
            accessToken: secret, tokenType: "Bearer", refreshToken: secret, idToken: secret, receivedAt: Self.now,
            cookies: [cookie])
    }

    private var credential: Credential {
        Credential(grant, dpopKey: secret, ahead: RefreshAhead(), chance: 0)
    }

    private var record: SessionRecord {
        SessionRecord(
            epoch: 1, content: .signedIn(credential),
            rotation: Rotation(holder: "h", leaseEnds: nil, claimed: Self.now, began: Self.now, attempts: 1))
    }

    private var stored: StoredRecord { StoredRecord(version: 1, record: record) }

    /// The steps of a flight that has got something, and could not store it.
    private var flight: [Any] {
        var flight = RefreshFlight(
            .replacing(stored.mark), holder: "h", rules: RefreshRules(), ahead: RefreshAhead())
        var values: [Any] = []
        let events: [RefreshFlight.Event] = [
            .began, .found(stored), .written(2), .answered(.granted(grant)), .storeFailed(.failed(reason: "full")),
        ]
        for event in events { values += [event, flight.next(event, at: Self.now), flight] }
        return values
    }

    private var values: [(String, Any)] {
        let key = StoreKey.bytes(secret)
        let pages = PageCookies(generation: 1, isSignedIn: true, cookies: [cookie])
        var jar = CookieJar()
        try! jar.apply(.set(cookie), at: Self.now)
        let answers: [TokenAnswer] = [
            .granted(grant), .incomplete(TokenSuccessor(refreshToken: secret, cookies: [cookie])),
        ]
        let client = ClientIdentity("native-app", authentication: .basic(secret))
        return [
            ("TokenGrant", grant), ("Credential", credential), ("SessionRecord", record), ("StoredRecord", stored),
            ("Optional", Optional(record) as Any), ("StoredEntry", StoredEntry(version: 1, payload: record.encoded)),
            ("StoredEntry?", Optional(StoredEntry(version: 1, payload: Array(Self.word.utf8))) as Any),
            ("StoreKey", key), ("PageCookies", pages), ("CookieJar", jar), ("CookieChange", CookieChange.set(cookie)),
            ("CookieArchive", CookieArchive(jar, sessionCookies: .given(.seconds(60)), at: Self.now)),
            ("Restoration", CookieJarFile.Restoration.notFound), ("ClientIdentity", client),
            ("WebCookies", WebCookies.loaded([cookie])), ("DPoP key", try! DPoPKey(pem: Self.pem)),
            ("Reading", LoopbackRequestReader.Reading.callback("http://127.0.0.1/?code=" + Self.word)),
            ("OutboundRequests", LoginFixtures.tokens(ScriptedServer(), client: client)),
        ] + answers.map { ("TokenAnswer", $0) } + flight.map { ("RefreshFlight", $0) }
    }

    private static let pem: Secret = try! DPoPKey.generate().pem()

    @Test func nothingPrintsWhatItHolds() {
        for (name, value) in values { expectNoSecret(Self.word, in: value, name) }
        // And the search would find it.
        #expect(printed(Optional([Self.word]) as Any).allSatisfy { $0.contains(Self.word) })
    }

    @Test func aSessionAndItsTokenPrintNothing() async throws {
        let (time, store) = (VirtualTime(), MemorySessionStore())
        let session = SessionManager(server: TokenDesk.rotating(time), store: store, clock: time, alarm: time)
        let token = try await session.signIn(grant)
        let state = session.state
        for (name, value) in [("manager", session), ("token", token), ("state", state), ("store", store)]
            as [(String, Any)]
        {
            expectNoSecret(Self.word, in: value, name)
        }
        let server = TokenSessionServer(LoginFixtures.tokens(ScriptedServer()))
        _ = await server.refresh(credential)
        expectNoSecret(Self.word, in: server, "server")
    }

    @Test func aFileStoreAndWhatItReadsPrintNothing() async throws {
        let directory = try StoreDirectory()
        let files = directory.files(key: .bytes(Secret(Array((Self.word + Self.word + "1234").utf8))))
        #expect(files.append(Self.word) == 1)
        let read = try #require(try files.read())
        for value in [files, read.entry, directory.store()] as [Any] { expectNoSecret(Self.word, in: value, "store") }
    }

    /// What goes wrong is logged more than anything else.
    @Test func errorsQuoteNothing() async throws {
        let mangled = Array("{\"format\":1,\"epoch\":\"\(Self.word)\"}".utf8)
        for bytes in [mangled, Array(Self.word.utf8)] {
            do { _ = try SessionRecord(encoded: bytes) } catch { expectNoSecret(Self.word, in: error, "SessionRecord") }
        }
        let server = ScriptedServer { _ in
            .json(#"{"error":"invalid_grant","error_description":"\#(Self.word) is over"}"#, status: 400)
        }
        let answer = await LoginFixtures.tokens(server).refresh(secret)
        #expect(answer.asRefusal != nil)
        expectNoSecret(Self.word, in: answer, "TokenRefusal")
    }
}
