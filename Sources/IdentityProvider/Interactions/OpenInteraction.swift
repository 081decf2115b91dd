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

    /// Where what the form leads to may redirect.
    var formTargets: [ContentSource] {
        target.map { ContentSource.leading(to: PageURL(redirect: $0.redirectURI.text)) } ?? []
    }

    var clientName: String? { subject.map { $0.client.displayName } }
}

extension Client {
    /// What people know it by.
    var displayName: String { metadata.name ?? id }
}
