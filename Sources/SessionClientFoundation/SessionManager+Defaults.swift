import Cookies
import Foundation
import HTTPMessages
import OAuth
import Primitives
import SessionClient

extension SessionManager {
    /// A session with what an app on any platform has: `URLSession` and the clock of the system.
    ///
    ///     let session = SessionManager(
    ///         configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
    ///         store: try EncryptedFileStore(group: "team.example.app"))
    public init(
        configuration: SessionConfiguration, store: any SessionStore,
        transport: any OutboundRequests = URLSessionTransport()
    ) {
        self.init(
            configuration: configuration, store: store, transport: transport, clock: SystemWallClock(),
            alarm: SystemAlarm())
    }

    /// The same, where the server keeps the session in cookies.
    ///
    ///     let session = try SessionManager(cookies: cookies, store: store)
    public init(
        cookies: CookieSession, store: any SessionStore, transport: any OutboundRequests = URLSessionTransport()
    ) throws(ServerEndpointError) {
        try self.init(
            cookies: cookies, store: store, transport: transport, clock: SystemWallClock(), alarm: SystemAlarm())
    }
}

extension EncryptedFileStore {
    /// The store of a group of programs, where the system keeps what they share.
    ///
    ///     let store = try EncryptedFileStore(group: "team.example.app")
    ///
    /// - Parameters:
    ///   - group: on Apple platforms the name of an app group that the program is entitled to. Elsewhere its directory is below
    ///   `$XDG_DATA_HOME`, or `~/.local/share`.
    ///   - name: of the files in the directory, which has room for more than one store.
    ///   - key: what they are encrypted with.
    public convenience init(
        group: String, name: String = "session", key: StoreKey = .file
    ) throws(SessionStoreError) {
        #if canImport(Darwin)
        try self.init(
            group: group, name: name, key: key,
            container: { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)?.path },
            clock: SystemWallClock())
        #else
        try self.init(group: group, name: name, key: key, container: nil, clock: SystemWallClock())
        #endif
    }

    /// A store in a directory of one's own choice.
    ///
    ///     let store = EncryptedFileStore(directory: path)
    public convenience init(directory: String, name: String = "session", key: StoreKey = .file) {
        self.init(directory: directory, name: name, key: key, clock: SystemWallClock())
    }
}

extension CookieJarFile {
    /// A jar in a directory of one's own choice.
    ///
    ///     let file = CookieJarFile(directory: path)
    public init(directory: String, name: String = "cookies", key: StoreKey = .file) {
        self.init(directory: directory, name: name, key: key, clock: SystemWallClock())
    }
}

#if canImport(Security)
extension KeychainStore {
    /// A session in the Keychain, by the clock of the system.
    ///
    ///     let store = KeychainStore(service: "example.app", accessGroup: "TEAM.example.shared")
    public init(service: String, account: String = "session", accessGroup: String? = nil) {
        self.init(service: service, account: account, accessGroup: accessGroup, clock: SystemWallClock())
    }
}
#endif

extension WebSessionBridge {
    /// A bridge by the clock of the system.
    ///
    ///     let bridge = WebSessionBridge(session: pages, surface: surface, configuration: configuration)
    public convenience init(
        session: any PageSession, surface: any WebSurface, configuration: WebBridgeConfiguration
    ) {
        self.init(
            session: session, surface: surface, configuration: configuration, clock: SystemWallClock(),
            alarm: SystemAlarm())
    }
}

extension SessionConfiguration {
    /// With the issuer as a URL of Foundation's.
    ///
    ///     let configuration = SessionConfiguration(issuer: url, clientID: "native-app")
    public init(issuer: URL, clientID: String) { self.init(issuer: issuer.absoluteString, clientID: clientID) }
}
