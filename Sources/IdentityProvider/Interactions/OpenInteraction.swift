import OAuth
import Primitives

/// An interaction that belongs to the browser that asks.
struct OpenInteraction: Sendable {
    var interaction: Interaction
    /// The secret by which the browser has proven it.
    let browserSecret: String
    /// Whose request it is about; `nil` for a page of ours.
    let subject: Subject?

    /// A client and what it asks for.
    struct Subject: Sendable {
        let request: AuthorizationRequest
        let client: Client
    }

    var target: ResponseTarget? { subject?.request.target }

    /// Where what the form leads to may redirect: to the client, and from there to wherever the client sends its users
    /// on, for the browser holds that against the form as well.
    var formTargets: [ContentSource] {
        guard let target else { return [] }
        let own = PageURL(redirect: target.redirectURI.text).flatMap { ContentSource($0) }
        return ContentSource.web + [own].compactMap(\.self)
    }

    var clientName: String? { subject.map { $0.client.displayName } }
}

extension Client {
    /// What people know it by.
    var displayName: String { metadata.name ?? id }
}
