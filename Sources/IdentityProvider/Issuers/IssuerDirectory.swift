import HTTPMessages
import OAuth
import Synchronization

/// Knows which issuer a request is for, and keeps its documents until what they say changes.
final class IssuerDirectory: Sendable {
    /// By what a client reached us.
    private struct Origin: Hashable, Sendable {
        let authority: String
        let isEncrypted: Bool
        /// Where client certificates are asked for.
        var isForCertificates = false
    }

    private struct Remembered: Sendable {
        /// What was true of the provider when these were prepared.
        var version: Int
        var issuers = BoundedCache<Origin, PreparedIssuer>(maximumCount: IssuerDirectory.maximumRememberedCount)
    }

    /// The names under which one provider is reached are few. Whoever makes up more of them makes us forget the others,
    /// and preparing one again costs microseconds.
    static let maximumRememberedCount = 64

    private let policy: IssuerPolicy
    /// The tenant's own path.
    private let path: String
    private let version: @Sendable () -> Int
    private let ordinaryEntrance: @Sendable () -> OrdinaryEntrance?
    private let describe: @Sendable (inout ServerMetadata) -> Void
    private let complete: @Sendable (inout ServerMetadata) -> Void
    private let remembered = Mutex(Remembered(version: 0))

    /// - Parameters:
    ///   - version: grows whenever `describe`, `complete` or `entrance` would say something else.
    ///   - entrance: where those are who reach us by the port for client certificates in the name of the issuer.
    init(
        _ policy: IssuerPolicy, of tenant: TenantName?, version: @escaping @Sendable () -> Int,
        ordinaryEntrance entrance: @escaping @Sendable () -> OrdinaryEntrance? = { nil },
        describedBy describe: @escaping @Sendable (inout ServerMetadata) -> Void,
        completedBy complete: @escaping @Sendable (inout ServerMetadata) -> Void
    ) {
        self.policy = policy
        self.version = version
        ordinaryEntrance = entrance
        self.describe = describe
        self.complete = complete
        path = tenant?.path ?? ""
    }

    /// The issuer that answers this request. Following the host, what is no plain host and port is refused, because it
    /// would be signed into tokens and written into documents.
    func issuer(for request: ServerRequest) throws(OAuthError) -> PreparedIssuer {
        try issuer(
            reachedBy: request.head.authority ?? "", isEncrypted: request.peer.isEncrypted,
            forCertificates: request.peer.wasAskedForCertificate)
    }

    /// The issuer of those who reach it by this host and port.
    func issuer(
        reachedBy authority: String, isEncrypted: Bool, forCertificates: Bool = false
    ) throws(OAuthError) -> PreparedIssuer {
        // Read before anything is described: what is made meanwhile from older facts is not taken for newer.
        let version = version()
        let origin: Origin =
            if case .fixed = policy {
                Origin(authority: "", isEncrypted: isEncrypted)
            } else {
                Origin(authority: authority, isEncrypted: isEncrypted, isForCertificates: forCertificates)
            }
        if let known = remembered.withLock({ $0.version == version ? $0.issuers[origin] : nil }) { return known }
        let issuer = PreparedIssuer(
            try issuer(at: origin).below(path), isEncrypted: isEncrypted, describedBy: describe, completedBy: complete)
        remembered.withLock { remembered in
            if remembered.version < version { remembered = Remembered(version: version) }
            if remembered.version == version { remembered.issuers.insert(issuer, for: origin) }
        }
        return issuer
    }

    private func issuer(at origin: Origin) throws(OAuthError) -> Issuer {
        if case .fixed(let issuer) = policy { return issuer }
        guard let authority = Authority(origin.authority) else {
            throw OAuthError(.invalidRequest, "the request names no host that could be the issuer")
        }
        guard origin.isForCertificates, let entrance = ordinaryEntrance() else {
            return Issuer(isEncrypted: origin.isEncrypted, authority: authority)
        }
        return Issuer(isEncrypted: entrance.isEncrypted, authority: authority.at(port: entrance.port))
    }
}
