/// A user or an account, as pages show it.
package struct PagePerson: Hashable, Sendable {
    /// What the form sends back.
    package var id: String
    package var name: String
    /// An e-mail address, or what else tells namesakes apart.
    package var note: String?

    package init(id: String, name: String, note: String? = nil) {
        self.id = id
        self.name = name
        self.note = note
    }
}
