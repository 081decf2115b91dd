import HTTPMessages

/// Lets pages of a client's origins use its sessions across origins (the CORS protocol with credentials, Fetch section
/// 3.3.1): exactly those, and no other. That a page of this machine reads tokens elsewhere gives it nothing here.
enum SessionReaders {
    static func admit(_ origins: Set<WebOrigin>, to response: inout ServerResponse, of request: ServerRequest) {
        guard !origins.isEmpty else { return }
        CrossOrigin(policy: .listed(origins)).admitReader(of: &response, to: request)
        guard response.head.headerFields.contains(.accessControlAllowOrigin) else { return }
        response.head.headerFields[.accessControlAllowCredentials] = "true"
    }
}

extension HTTPField.Name {
    static let accessControlAllowCredentials = Self(validated: "Access-Control-Allow-Credentials")
}
