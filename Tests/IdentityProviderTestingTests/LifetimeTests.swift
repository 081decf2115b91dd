import Foundation
import IdentityProviderTesting
import Synchronization
import Testing

/// Begin and end of providers: each is there at once, and nothing is left of it.
@Suite(.serialized) struct LifetimeTests {
    private struct Thrown: Error {}

    /// Whether nobody listens any more where a provider was. Another test of the process may be given the port as soon as
    /// it is free: what is left behind stays behind every time, and that is seldom so three times.
    private func isGone(after scenario: () async throws -> String) async throws -> Bool {
        for _ in 0..<3 {
            let issuer = try await scenario()
            if !Self.accepts(issuer) { return true }
        }
        return false
    }

    @Test func stopsWhenTheBodyThrows() async throws {
        let isGone = try await isGone {
            let issuer = Mutex("")
            await #expect(throws: Thrown.self) {
                try await withIdentityProvider { idp in
                    issuer.withLock { $0 = idp.issuer }
                    throw Thrown()
                }
            }
            return issuer.withLock { $0 }
        }
        #expect(isGone)
    }

    @Test func stopsWhenTheTaskIsCancelled() async throws {
        let isGone = try await isGone {
            let issuer = Mutex("")
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await withIdentityProvider { idp in
                    issuer.withLock { $0 = idp.issuer }
                    continuation.yield()
                    try await idp.nextRequest(within: .seconds(3600))
                }
            }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            return issuer.withLock { $0 }
        }
        #expect(isGone)
    }

    @Test func hundredRunAtOnceAndNeverMeet() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await withIdentityProvider { idp in
                        try idp.users.add(TestUser("user-\(number)"))
                        let tokens = try await idp.tokens(for: "user-\(number)", client: "web")
                        let user = try await AppUnderTest(idp).get("/userinfo", bearer: tokens.accessToken)
                        #expect(user.text("sub") == "user-\(number)")
                        #expect(idp.users.all.count == 5)
                        return idp.issuer
                    }
                }
            }
            var issuers: Set<String> = []
            for try await issuer in group { issuers.insert(issuer) }
            #expect(issuers.count > 1)
        }
    }

    /// Its descriptors and its thread are gone soon after it has stopped: they end by themselves.
    @Test func leavesNothingBehind() async throws {
        for _ in 0..<3 { try await withIdentityProvider { idp in _ = try await AppUnderTest(idp).get("/jwks.json") } }
        let before = Self.openDescriptors
        for _ in 0..<50 {
            try await withIdentityProvider { idp in _ = try await idp.tokens(for: "alice", client: "web") }
        }
        // Fifty that each leave one behind would be seen for ever.
        var rounds = 0
        while Self.openDescriptors > before + 10, rounds < 10_000 {
            rounds += 1
            await Task.yield()
        }
        #expect(Self.openDescriptors <= before + 10)
    }

    private static var openDescriptors: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
    }

    /// Whether somebody listens there.
    private static func accepts(_ issuer: String) -> Bool {
        guard let port = URL(string: issuer)?.port else { return true }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
