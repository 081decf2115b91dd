import HTTPMessages
import OAuth
import Primitives

/// What a client is told at its redirect URI (RFC 6749 sections 4.1.2 and 4.2.2).
struct AuthorizationAnswer: Sendable {
    let target: ResponseTarget
    private(set) var parameters: [(name: String, value: String)]
    /// Whose it is, for the record of the request.
    var remark: RequestRemark?

    /// RFC 9207 section 2: whose answer it is stands in every answer, the errors included; so a client that talks to
    /// several providers cannot take one's for another's.
    init(_ parameters: [(name: String, value: String)], to target: ResponseTarget, as issuer: PreparedIssuer) {
        self.target = target
        self.parameters = parameters
        if let state = target.state { self.parameters.append(("state", state)) }
        self.parameters.append(("iss", issuer.identifier))
    }

    init(_ error: OAuthError, to target: ResponseTarget, as issuer: PreparedIssuer) {
        self.init(
            [("error", error.code.rawValue), ("error_description", error.publicDescription)], to: target, as: issuer)
    }

    /// Puts parameters over those of the same name, for tests of what a client makes of them; null takes one away. What is
    /// no text stands there as JSON.
    mutating func put(_ members: JSONObject) {
        for (name, value) in members {
            parameters.removeAll { sameText($0.name, name) }
            guard value != .null else { continue }
            parameters.append((name, value.string ?? value.text()))
        }
    }

    func response(on pages: ProviderPages, for visit: Visit) -> ServerResponse {
        var response = carrier(on: pages, for: visit)
        response.remark = remark
        return response
    }

    private func carrier(on pages: ProviderPages, for visit: Visit) -> ServerResponse {
        switch target.mode {
        case .query:
            Self.redirect(to: target.redirectURI.appending(query: parameters))
        case .fragment:
            Self.redirect(to: target.redirectURI.appending(fragment: parameters))
        case .formPost:
            formPost(on: pages, for: visit)
        }
    }

    private func formPost(on pages: ProviderPages, for visit: Visit) -> ServerResponse {
        guard let action = PageURL(redirect: target.redirectURI.text) else {
            return pages.response(for: OAuthError(.invalidRequest, "no form can be sent to this redirect_uri"), visit)
        }
        return pages.response(
            FormPostPage(
                action: action, parameters: parameters.map { HiddenField($0.name, $0.value) },
                // Who really gets it, whatever he calls himself.
                clientName: target.redirectURI.host ?? target.redirectURI.text),
            for: visit)
    }

    /// RFC 9700 section 4.12: 303, with which no browser sends again what was posted here, a password above all.
    static func redirect(to location: String) -> ServerResponse {
        ServerResponse(
            status: .seeOther,
            headerFields: [
                .location: location, .cacheControl: "no-store", .pragma: "no-cache", .referrerPolicy: "no-referrer",
            ])
    }
}
