import Glibc
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives

/// What a refresh costs with one, a thousand and a million sessions in the store, and what a session costs in memory.
///
/// In one process and without HTTP, so that nothing but the number of sessions differs.
enum SessionRows {
    static let counts = [1, 1_000, 1_000_000]
    static let names = counts.map { "refresh-\($0)" } + ["session-bytes"]

    /// `nil` when there is no such row. `session-bytes` is a size, and no rate.
    static func measure(_ name: String, seconds: Double) async throws -> Measurement? {
        if name == "session-bytes" { return try await bytes() }
        guard let count = counts.first(where: { name == "refresh-\($0)" }) else { return nil }
        let sessions = try await Sessions(count)
        return try await .rate(name, seconds: seconds) { try await sessions.refreshAny() }
    }

    private static func bytes() async throws -> Measurement {
        let empty = try await Sessions(0)
        let before = residentBytes()
        try await empty.begin(1_000_000)
        let grown = residentBytes() - before
        return Measurement(name: "session-bytes", perSecond: Double(grown) / 1_000_000)
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var total = 0
        var resident = 0
        withUnsafeMutablePointer(to: &total) { total in
            withUnsafeMutablePointer(to: &resident) { resident in
                _ = withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
            }
        }
        return resident * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// A provider with sessions, and what their client would know of them.
private final class Sessions {
    private let provider: IdentityProvider
    private let random = SeededRandom(seed: 7)
    private let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_763_632_800))
    private var families: [FamilyID] = []
    private var nodes: [UInt32] = []
    private let fields: HTTPFields

    struct Refused: Error {
        let status: Int
    }

    init(_ count: Int) async throws {
        let policy = KeyRingPolicy(longestTokenLifetime: .seconds(300))
        provider = try await IdentityProvider(
            configuration: ProviderConfiguration(
                clients: StandardClients.all(), users: StandardUsers.all(),
                accessTokens: AccessTokenPolicy(algorithm: .es256)),
            environment: ProviderEnvironment(
                clock: clock, random: SystemRandom(), keySupply: ImmediateKeySupply(policy: policy)))
        let credentials = "\(StandardClients.serviceID):\(StandardClients.serviceSecret)"
        fields = [
            .contentType: "application/x-www-form-urlencoded",
            .authorization: "Basic " + Base64.encode(Array(credentials.utf8)),
        ]
        try await begin(count)
    }

    func begin(_ count: Int) async throws {
        let context = provider.root.context
        let scope = try Scope(parsing: "profile offline_access")
        let now = clock.now()
        for _ in 0..<count {
            let terms = FamilyTerms(
                id: FamilyID(from: random), clientID: StandardClients.serviceID, userID: "alice", scope: scope,
                loginID: LoginID(random.identifier()),
                authentication: Authentication(at: now, methods: ["pwd"]), began: now, expires: now + .seconds(86_400))
            var family = Family(terms)
            family.rotation.begin(at: family.terms.began)
            try await context.store.keep(family)
            families.append(terms.id)
            nodes.append(1)
        }
    }

    func refreshAny() async throws {
        let index = Int(random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(families.count))
        let token = provider.root.context.refreshTokens.token(of: families[index], node: nodes[index])
        let response = await provider.respond(
            to: ServerRequest(
                head: HTTPRequest(
                    method: .post, scheme: nil, authority: "localhost:8080", path: "/token", headerFields: fields),
                body: Array("grant_type=refresh_token&refresh_token=\(token)".utf8),
                peer: ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false), id: "r"))
        guard response.head.status == .ok else { throw Refused(status: response.head.status.code) }
        nodes[index] += 1
    }
}
