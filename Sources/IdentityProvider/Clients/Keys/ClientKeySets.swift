import HTTPMessages
import JOSE
import OAuth
import Primitives
import Synchronization

/// The keys that clients have registered: those of their metadata, and those that they publish at a URL, which are kept
/// for a while.
///
/// Whoever asks with a key that nobody has makes us ask the client's server again, but not more often than
/// `leastInterval` allows: so he can neither load that server nor wait for it with each of his requests.
final class ClientKeySets: Sendable {
    private enum Entry: Sendable {
        case fetched(Result<JWKSet, ClientKeyFailure>, at: Timestamp)
        case onItsWay(Task<Result<JWKSet, ClientKeyFailure>, Never>)
    }

    private let outbound: any OutboundRequests
    private let entries = Mutex(BoundedCache<ExactText, Entry>(maximumCount: ClientKeySets.maximumCount))

    /// Sets of keys that are kept. Whoever registers more clients makes us ask again.
    static let maximumCount = 1024
    /// How long a set is taken for what the client publishes.
    static let lifetime = Duration.seconds(300)
    /// Between two requests to the same URL.
    static let leastInterval = Duration.seconds(10)

    init(outbound: any OutboundRequests) {
        self.outbound = outbound
    }

    /// Keys that can verify what the header of a token says it was signed with.
    ///
    /// The algorithm has been judged: it is one that the client may use, and not symmetric. So no key that is published
    /// becomes a secret (RFC 8725 section 3.1).
    func verificationKeys(
        of client: Client, for header: JOSEHeader, algorithm: SignatureAlgorithm, at now: Timestamp
    ) async throws(ClientKeyFailure) -> VerificationKeySet {
        precondition(!algorithm.isSymmetric, "a published key is no secret")
        let set = try await keys(of: client, at: now) { set in
            header.keyID.map { id in set.keys.contains { $0.keyID.map { sameText($0, id) } ?? true } } ?? true
        }
        return VerificationKeySet(set.keys.compactMap { try? VerificationKey($0, algorithm: algorithm) })
    }

    /// The keys of a client. `suffices` says whether a set that was kept holds what is wanted; if not, it is fetched
    /// again.
    func keys(
        of client: Client, at now: Timestamp, suffices: (JWKSet) -> Bool = { _ in true }
    ) async throws(ClientKeyFailure) -> JWKSet {
        // RFC 7591 section 2: jwks_uri and jwks MUST NOT both be there.
        if let keys = client.metadata.keys { return keys }
        guard let uri = client.metadata.keysURI else { throw .noKeys }
        let kept = entries.withLock { $0[ExactText(uri)] }
        if case .fetched(let result, let moment)? = kept {
            let age = now - moment
            // A clock that was set back makes nothing fresh for ever.
            let isRecent = age >= .zero && age < Self.leastInterval
            if case .success(let set) = result, age >= .zero, age < Self.lifetime, suffices(set) { return set }
            if isRecent { return try result.get() }
        }
        return try await fetch(uri, at: now).get()
    }

    /// Fetches a set. All who want the same at once wait for one answer.
    private func fetch(_ uri: String, at now: Timestamp) async -> Result<JWKSet, ClientKeyFailure> {
        let key = ExactText(uri)
        let task = entries.withLock { entries in
            if case .onItsWay(let task)? = entries[key] { return task }
            let task = Task { [outbound] in await Self.request(uri, by: outbound) }
            entries.insert(.onItsWay(task), for: key)
            return task
        }
        let result = await task.value
        entries.withLock { entries in
            if case .onItsWay(let other)? = entries[key], other == task {
                entries.insert(.fetched(result, at: now), for: key)
            }
        }
        return result
    }

    private static func request(
        _ uri: String, by outbound: any OutboundRequests
    ) async -> Result<JWKSet, ClientKeyFailure> {
        guard let request = HTTPRequest(getting: uri, accepting: "application/jwk-set+json, application/json") else {
            return .failure(.notHTTP)
        }
        do throws(OutboundFailure) {
            let (response, body) = try await outbound.send(request, body: [])
            guard response.status == .ok else { return .failure(.status(response.status.code)) }
            do { return .success(try JWKSet(parsing: body.span)) } catch { return .failure(.notKeys(error)) }
        } catch {
            return .failure(.unreachable(error))
        }
    }
}
