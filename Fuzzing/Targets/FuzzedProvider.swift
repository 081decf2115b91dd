import Dispatch
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Synchronization

/// A whole provider in memory whose clock stands still, asked one request after another, and what must hold for whatever
/// it answers.
struct FuzzedProvider {
    static let issuer = "http://localhost:8080"
    static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    static let redirect = "https://app.example/cb?kept=1"

    /// Signs as the provider does.
    let key: SigningKey
    /// Signs as the client `signer` does.
    let clientKey: SigningKey
    private let provider: IdentityProvider

    init(_ allowances: Allowances) {
        do {
            let (key, clientKey) = (
                try SigningKey.generate(.edDSA, keyID: "p"), try SigningKey.generate(.edDSA, keyID: "c")
            )
            self.key = key
            self.clientKey = clientKey
            let policy = KeyRingPolicy(longestTokenLifetime: .seconds(300))
            var state = KeyRing.State()
            try state.rotate(to: key, at: Self.now, by: policy)
            var configuration = ProviderConfiguration(
                clients: try Self.clients(clientKey), users: try StandardUsers.all(),
                accessTokens: AccessTokenPolicy(algorithm: .edDSA))
            configuration.allowances = allowances
            configuration.legacy = [.implicit, .hybrid]
            configuration.recordedRequests = 0
            let environment = ProviderEnvironment(
                clock: ManualClock(startingAt: Self.now), random: SeededRandom(seed: 1),
                keySupply: ImmediateKeySupply(policy: policy))
            let ring = KeyRing(restoring: state, policy: policy, at: Self.now)
            provider = try Self.wait { [configuration] in
                try await IdentityProvider(configuration: configuration, environment: environment, keyRing: ring)
            }
        } catch { fatalError("no provider: \(error)") }
    }

    /// `web` uses PKCE, `signer` signs its requests, `nag` asks its users each time, so that nothing is kept of an answer.
    private static func clients(_ key: SigningKey) throws -> [Client] {
        func client(_ id: String, _ change: (inout ClientMetadata) throws -> Void) throws -> Client {
            var metadata = ClientMetadata()
            metadata.redirectURIs = [try RedirectURI(redirect)]
            metadata.grants = ["authorization_code", "implicit"]
            metadata.responseTypes = [.code, .idToken, [.code, .idToken]]
            metadata.requiresPKCE = false
            metadata.idTokenAlgorithm = .edDSA
            try change(&metadata)
            return try Client(id: id, secret: Secret(utf8: "secret"), metadata: metadata)
        }
        return try StandardClients.all() + [
            client("signer") { $0.keys = JWKSet([key.jwk].compactMap(\.publicJWK)) },
            client("nag") { $0.consent = .always },
        ]
    }

    /// Runs what never really waits, and waits for it if it does.
    private static func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let found = Box<Result>()
        let done = DispatchSemaphore(value: 0)
        Task.immediate {
            do {
                let result = try await body()
                found.result.withLock { $0 = .success(result) }
            } catch {
                found.result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let result = found.result.withLock({ $0 }) else { fatalError("nothing came of it") }
        return try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Forgets what the requests so far have left.
    func forget() {
        let store = provider.root.context.store
        do { try Self.wait { try await store.removeAll() } } catch { fatalError("the store forgets nothing: \(error)") }
    }

    func get(_ path: String, cookies: [String] = []) -> FuzzedAnswer {
        ask(.get, path, HTTPFields(cookies.map { HTTPField(name: .cookie, value: $0) }), [])
    }

    func post(_ path: String, _ form: [UInt8]) -> FuzzedAnswer {
        ask(.post, path, [.contentType: "application/x-www-form-urlencoded"], form)
    }

    private func ask(_ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, _ body: [UInt8])
        -> FuzzedAnswer
    {
        let request = ServerRequest(
            head: HTTPRequest(
                method: method, scheme: nil, authority: "localhost:8080", path: path, headerFields: fields),
            body: body, peer: ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false), id: "r")
        let provider = provider
        do { return FuzzedAnswer(try Self.wait { await provider.respond(to: request) }) } catch {
            fatalError("no answer: \(error)")
        }
    }

    /// A token of any content.
    static func sign(_ payload: [UInt8], by key: SigningKey, type: String) -> String {
        do {
            return try JWSSigner(key: key, protected: ["kid": .string(key.keyID), "typ": .string(type)]).compact(
                payload)
        } catch { fatalError("no token: \(error)") }
    }

    /// Takes pairs of a place and a byte as changes to a text.
    static func change(_ text: String, by changes: some Collection<UInt8>) -> String {
        var bytes = Array(text.utf8)
        let changes = Array(changes.prefix(16))
        for index in stride(from: 0, to: changes.count - 1, by: 2) where changes[index + 1] & 0x80 == 0 {
            bytes[(Int(changes[index]) * 4 + index) % bytes.count] = changes[index + 1]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
