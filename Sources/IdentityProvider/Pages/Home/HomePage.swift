/// What people see who open the provider's own address: where things are, and in a provider for tests, with whom and
/// with what to try them.
package struct HomePage: Page {
    package var issuer: String
    package var endpoints: [Entry]
    /// For tests.
    package var users: [User]
    /// For tests.
    package var clients: [ClientExample]

    /// A name as the metadata have it, and an address.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var url: PageURL

        package init(_ name: String, _ url: PageURL) {
            self.name = name
            self.url = url
        }
    }

    /// Somebody who can sign in.
    package struct User: Hashable, Sendable {
        package var id: String
        package var name: String
        /// `nil`: any will do.
        package var password: String?

        package init(id: String, name: String, password: String? = nil) {
            self.id = id
            self.name = name
            self.password = password
        }
    }

    /// A client, and a command line that uses it.
    package struct ClientExample: Hashable, Sendable {
        package var id: String
        package var note: String?
        package var command: String

        package init(id: String, note: String? = nil, command: String) {
            self.id = id
            self.note = note
            self.command = command
        }
    }

    package init(issuer: String, endpoints: [Entry], users: [User] = [], clients: [ClientExample] = []) {
        self.issuer = issuer
        self.endpoints = endpoints
        self.users = users
        self.clients = clients
    }

    package var policy: ContentPolicy { ContentPolicy() }
    package var isolatesItself: Bool { true }
    package var isWide: Bool { true }

    package func title(_ texts: PageTexts) -> String { DisplayText.cut(issuer, to: DisplayText.longestText) }
}
