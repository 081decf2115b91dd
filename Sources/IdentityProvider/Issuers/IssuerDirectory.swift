import HTTPMessages
import OAuth
import Synchronization

/// Knows which issuer a request is for.
final class IssuerDirectory: Sendable {
    private enum Source: Sendable {
        case fixed(PreparedIssuer)
        case followsHost
    }

    /// By what a client reached us.
    private struct Origin: Hashable, Sendable {
        let authority: String
        let isEncrypted: Bool
    }

    /// The names under which one provider is reached are few. Whoever makes up more of them makes us forget the others,
    /// and preparing one again costs microseconds.
    static let maximumRememberedCount = 64

    private let source: Source
    private let describe: @Sendable (inout ServerMetadata) -> Void
    private let remembered = Mutex(
        BoundedCache<Origin, PreparedIssuer>(maximumCount: IssuerDirectory.maximumRememberedCount))

    init(_ policy: IssuerPolicy, describedBy describe: @escaping @Sendable (inout ServerMetadata) -> Void) {
        self.describe = describe
        switch policy {
        case .fixed(let issuer): source = .fixed(PreparedIssuer(issuer, describedBy: describe))
        case .followsHost: source = .followsHost
        }
    }

    /// The issuer that answers this request. Following the host, what is no plain host and port is refused, because it
    /// would be signed into tokens and written into documents.
    func issuer(for request: ServerRequest) throws(OAuthError) -> PreparedIssuer {
        if case .fixed(let issuer) = source { return issuer }
        let origin = Origin(authority: request.head.authority ?? "", isEncrypted: request.peer.isEncrypted)
        if let known = remembered.withLock({ $0[origin] }) { return known }
        guard let authority = Authority(origin.authority) else {
            throw OAuthError(.invalidRequest, "the request names no host that could be the issuer")
        }
        let issuer = PreparedIssuer(
            Issuer(isEncrypted: origin.isEncrypted, authority: authority), describedBy: describe)
        remembered.withLock { $0.insert(issuer, for: origin) }
        return issuer
    }
}
