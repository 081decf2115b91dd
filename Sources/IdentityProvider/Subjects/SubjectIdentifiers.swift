import Crypto
import OAuth
import Primitives

/// By which `sub` a client knows a user (OpenID Connect Core section 8).
struct SubjectIdentifiers: Sendable {
    private let authenticator: HMAC

    /// - Parameter salt: what keeps outsiders from computing pairwise subjects (section 8.1).
    init(salt: Secret) {
        authenticator = HMAC(.sha256, key: salt)
    }

    func subject(of userID: String, for client: Client) -> String {
        switch client.metadata.subjectType {
        case .shared: userID
        case .pairwise: pairwise(userID, sector: client.sector)
        }
    }

    /// Section 8.1: it cannot be turned back, differs between sectors, and is the same every time. The length before the
    /// sector keeps two pairs of texts from running together into one.
    private func pairwise(_ userID: String, sector: String) -> String {
        let message = Array("\(sector.utf8.count):\(sector)\(userID)".utf8)
        return Base64URL.encode(authenticator.authenticate(message.span))
    }
}

extension Client {
    /// The host that stands for its sector (section 8.1).
    var sector: String {
        metadata.sectorHost ?? metadata.redirectURIs.first?.host ?? id
    }
}
