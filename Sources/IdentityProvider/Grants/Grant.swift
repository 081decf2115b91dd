import OAuth

/// One way to get tokens. Each has a folder of its own and is added by one line where `IdentityProvider` is composed.
protocol Grant: Sendable {
    /// The value of `grant_type`.
    var type: String { get }

    /// Whether it is there at all: a legacy grant is when somebody has asked for it.
    var isOffered: Bool { get }

    /// Judges a request of a client that has proven itself and may use this grant.
    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse

    /// Says in the metadata what this grant makes possible, besides its type.
    func advertise(in metadata: inout ServerMetadata)
}

extension Grant {
    var isOffered: Bool { true }

    func advertise(in metadata: inout ServerMetadata) {}
}
