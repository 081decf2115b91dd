import Primitives

/// What is kept of a client that registered itself (RFC 7591), so that it is there after a restart. Its secret follows from
/// its name (``ProviderSecrets``), and is not among it.
package struct Registration: Sendable {
    package let clientID: String
    /// See ``Client/stay``.
    package let stay: Int
    /// See ``Client/revision``.
    package let revision: Int
    /// See ``Client/Origin``.
    package let secretNumber: Int
    package let accessTokenDigest: TokenDigest
    package let registered: Timestamp
    /// As the client sent it, and what follows from that.
    package let metadata: JSONObject

    package init(
        clientID: String, stay: Int, revision: Int, secretNumber: Int, accessTokenDigest: TokenDigest,
        registered: Timestamp, metadata: JSONObject
    ) {
        self.clientID = clientID
        self.stay = stay
        self.revision = revision
        self.secretNumber = secretNumber
        self.accessTokenDigest = accessTokenDigest
        self.registered = registered
        self.metadata = metadata
    }

    /// Puts it in the place of an older one that is there still. Two changes that come at once may reach a store in either
    /// order.
    package func replace(_ known: inout Registration?) {
        guard let former = known, former.revision < revision else { return }
        known = self
    }
}

extension Registration: KeptRecord {
    package var forgettable: Timestamp? { nil }
}
