import Cookies
import Foundation
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import SessionClientFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The examples of the documentation: a session with what Foundation has.
@Suite struct FoundationExamples {
    private let clock = SystemWallClock()
    private let configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
    private let store = MemorySessionStore()
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()

    private func readItFirst() {}

    @Test func sessions() throws {
        do {
            let session = SessionManager(
                configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
                store: try EncryptedFileStore(group: "team.example.app"))
            _ = session
        }
        do {
            let transport = URLSessionTransport(timeout: .seconds(5))
            let session = SessionManager(configuration: configuration, store: store, transport: transport)
            _ = session
        }
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(cookies: cookies, store: store)
        _ = session
    }

    @Test func anIssuerOfFoundation() throws {
        let url = try #require(URL(string: "https://id.example"))
        let configuration = SessionConfiguration(issuer: url, clientID: "native-app")
        #expect(configuration.issuer == "https://id.example")
    }

    @Test func stores() async throws {
        do {
            let store = try EncryptedFileStore(group: "team.example.app")
            _ = store
        }
        do {
            let store = EncryptedFileStore(directory: path)
            #expect(try await store.read() == nil)
        }
        let file = CookieJarFile(directory: path)
        #expect(try file.restore().epoch == 0)
    }

    @Test func requests() async throws {
        let session = SessionManager(configuration: configuration, store: store)
        let url = try #require(URL(string: "https://api.example/me"))
        await #expect(throws: SessionError.signedOut(SignOut(.never))) {
            let (data, response) = try await session.data(for: URLRequest(url: url))
            print(data.count, response.statusCode)
        }
        var request = URLRequest(url: url)
        request.httpBodyStream = InputStream(data: Data("long".utf8))
        do { _ = try await session.data(for: request) } catch RequestError.bodyIsStream { readItFirst() }
    }

    @Test func cookies() throws {
        let cookie = Cookie(name: "theme", value: "dark", domain: "docs.example", isHTTPOnly: true, at: clock.now())
        let storage = HTTPCookieStorage.shared
        if let old = cookie.httpCookie() { HTTPCookieStorage.shared.setCookie(old) }
        let cookies = (storage.cookies ?? []).compactMap { Cookie($0, at: clock.now()) }
        #expect(cookies.contains { $0.name == "theme" && $0.isHTTPOnly })
    }

    @Test func anAlarm() async {
        await withCheckedContinuation { continuation in
            SystemAlarm().ring(after: .zero) { continuation.resume() }
        }
        SystemAlarm().ring(after: .seconds(1)) { print("one second") }
    }

    @Test func aBridge() throws {
        let session = SessionManager(configuration: configuration, store: store)
        let pages = SessionPages(session, leavingOut: [])
        let environment = SimulatedWebEnvironment(clock: clock, alarm: SystemAlarm(), random: SystemRandom())
        let pool = SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment)
        let surface = SimulatedWebView(store: pool.sharedStore)
        let configuration = WebBridgeConfiguration(origins: [], refreshCookies: [])
        let bridge = WebSessionBridge(session: pages, surface: surface, configuration: configuration)
        #expect(bridge.refusedCookies.isEmpty)
        bridge.close()
    }
}

#if canImport(Security)
private func keychainStore() -> any SessionStore {
    let store = KeychainStore(service: "example.app", accessGroup: "TEAM.example.shared")
    return store
}
#endif
