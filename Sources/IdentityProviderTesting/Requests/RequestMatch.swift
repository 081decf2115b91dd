/// Says which requests are meant.
///
///     try await idp.nextRequest(matching: RequestMatch { $0.grantType == "refresh_token" && $0.status == 200 })
///     try await idp.nextRequest(matching: .path("/token", client: "web"))
public struct RequestMatch: Sendable {
    let isWanted: @Sendable (RecordedRequest) -> Bool

    /// Those for which it is true.
    ///
    ///     let failures = RequestMatch { $0.status >= 400 }
    public init(_ isWanted: @escaping @Sendable (RecordedRequest) -> Bool) { self.isWanted = isWanted }

    /// Every one.
    ///
    ///     try await idp.nextRequest(matching: .any)
    public static let any = RequestMatch { _ in true }

    /// Those to a path below the issuer, and perhaps of one client.
    ///
    ///     try await idp.nextRequest(matching: .path("/userinfo"))
    public static func path(_ path: String, client: String? = nil) -> RequestMatch {
        RequestMatch { $0.path == path && (client == nil || $0.clientID == client) }
    }
}
