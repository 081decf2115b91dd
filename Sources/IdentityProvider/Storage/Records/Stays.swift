/// During which stays of a user and of a client something was authorised.
///
/// Whoever is removed and comes back begins another stay (``UserDirectory/stay(of:)``, ``Client/stay``). So what was
/// authorised before is told from what is now, in whatever order a removal and an authorisation came to the store.
package struct Stays: Hashable, Sendable {
    package let user: Int
    package let client: Int

    package init(user: Int, client: Int) {
        self.user = user
        self.client = client
    }

    /// The stay of somebody who is not there: no stay has this number.
    static let nobody = -1
}
