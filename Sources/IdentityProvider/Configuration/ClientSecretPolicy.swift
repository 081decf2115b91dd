/// How often secrets of clients may be tried (RFC 6749 section 2.3.1).
package struct ClientSecretPolicy: Sendable, Hashable {
    /// After so many wrong secrets for one client from one address within the window, none is looked at until it is over.
    /// More than a test suite needs that tries wrong ones.
    package var failuresAllowed = 100
    package var failureWindow = Duration.seconds(60)

    package init() {}
}
