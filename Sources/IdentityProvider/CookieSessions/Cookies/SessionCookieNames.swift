import HTTPMessages
import OAuth
import Primitives

/// What the cookies of all clients are called at a provider that is reached by a certain name, and whose they may be.
struct SessionCookieNames: Sendable {
    private struct Name: Hashable {
        let text: ExactText
        let kind: SessionCookie.Kind
    }

    private var clientIDs: [Name: [String]] = [:]
    /// Those with sessions in cookies.
    private(set) var all: [String] = []
    /// Pages that may use a session of some client.
    private(set) var origins: Set<WebOrigin> = []

    init(of clients: [Client], by transport: SessionTransport) {
        for client in clients.compactMap({ SessionClient($0) }) {
            let cookies = SessionCookies(of: client.id, client.settings, by: transport)
            for kind in SessionCookie.Kind.allCases {
                clientIDs[Name(text: ExactText(cookies[kind].name), kind: kind), default: []].append(client.id)
            }
            all.append(client.id)
            origins.formUnion(client.origins)
        }
    }

    /// Cookies of one name that a request brings, and the clients whose they may be. Those without a value are none: some
    /// programs send such in the place of one that was taken away.
    func found(
        _ kind: SessionCookie.Kind, in request: ServerRequest, of clientID: String?
    ) -> [PresentedCookies] {
        let sent = RequestCookies(request.head.headerFields)
        var found: [PresentedCookies] = []
        for name in sent.names where !found.contains(where: { sameText($0.name, name) }) {
            guard let owners = clientIDs[Name(text: ExactText(name), kind: kind)] else { continue }
            let wanted = clientID.map { id in owners.filter { sameText($0, id) } } ?? owners
            var values: [String] = []
            // The same twice is the same: it can come by two paths.
            for value in sent[values: name].map(String.init)
            where !value.isEmpty && !values.contains(where: { sameText($0, value) }) { values.append(value) }
            guard !wanted.isEmpty, !values.isEmpty else { continue }
            found.append(PresentedCookies(name: name, values: values, clientIDs: wanted))
        }
        return found
    }
}
