import HTTPMessages
import OAuth
import Primitives

/// What people see who open the provider's own address in a browser: where things are, and whom to try them with.
struct HomeEndpoint: Endpoint {
    static let location = "/"

    let path = HomeEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk

    /// Of users and of clients, so many are shown.
    private static let longestList = 20

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let endpoints = Self.endpoints(of: issuer)
        // Whom one can be here is told only where that is no secret.
        guard desk.context.configuration.signIn.page == .users else {
            return desk.pages.response(HomePage(issuer: issuer.identifier, endpoints: endpoints), to: request)
        }
        return desk.pages.response(
            HomePage(issuer: issuer.identifier, endpoints: endpoints, users: users, clients: clients(of: issuer)),
            to: request)
    }

    func advertise(in metadata: inout ServerMetadata) {}

    /// What the metadata name, and the metadata themselves.
    private static func endpoints(of issuer: PreparedIssuer) -> [HomePage.Entry] {
        var entries: [HomePage.Entry] = []
        if let url = PageURL(issuer.issuer.url(of: "/.well-known/openid-configuration")) {
            entries.append(HomePage.Entry("openid-configuration", url))
        }
        let bytes = issuer.metadata.bytes
        let metadata = (try? JSON(parsing: bytes.span))?.object ?? [:]
        for (name, value) in metadata where name.hasSuffix("_endpoint") || name == "jwks_uri" {
            if let url = value.string.flatMap({ PageURL($0) }) { entries.append(HomePage.Entry(name, url)) }
        }
        return entries
    }

    /// Passwords that everybody knows are shown, and no others.
    private var users: [HomePage.User] {
        desk.context.users.users.prefix(Self.longestList).map { user in
            let isKnown = user.password?.matches(Secret(utf8: user.username)) ?? false
            return HomePage.User(
                id: user.username, name: user.claims["name"]?.string ?? user.username,
                password: user.password == nil ? nil : isKnown ? user.username : "•••")
        }
    }

    private func clients(of issuer: PreparedIssuer) -> [HomePage.ClientExample] {
        desk.context.clients.clients.lazy.filter { $0.origin == .configured }.prefix(Self.longestList).compactMap {
            client in
            Self.command(of: client, as: issuer).map {
                HomePage.ClientExample(id: client.id, note: client.metadata.name, command: $0)
            }
        }
    }

    private static func command(of client: Client, as issuer: PreparedIssuer) -> String? {
        if client.isPublic, client.mayUse(DeviceCodeGrant.type) {
            let url = issuer.issuer.url(of: DeviceAuthorizationEndpoint.location)
            return "curl -d client_id=\(client.id) -d scope=openid \(url)"
        }
        guard client.mayUse(ClientCredentialsGrant.type), let secret = client.secret else { return nil }
        let isKnown = secret.matches(Secret(utf8: StandardClients.serviceSecret))
        let credentials = isKnown ? "\(client.id):\(StandardClients.serviceSecret)" : client.id
        return
            "curl -u \(credentials) -d grant_type=client_credentials \(issuer.issuer.url(of: TokenEndpoint.location))"
    }
}
