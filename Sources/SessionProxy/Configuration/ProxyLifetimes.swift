/// How long what the proxy keeps is good.
package struct ProxyLifetimes: Hashable, Sendable {
    /// A session that nobody has used for so long is over.
    package var idle = Duration.seconds(86_400)
    /// And one that began so long ago, however much it was used.
    package var absolute = Duration.seconds(30 * 86_400)
    /// For a user to sign in, from the moment that he is sent to the provider.
    package var login = Duration.seconds(600)

    package init() {}
}
