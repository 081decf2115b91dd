import OAuth

/// What a client may ask for.
package enum AllowedScopes: Sendable {
    /// Whatever it names. For applications under test, whose scopes the provider need not know.
    case any
    case listed(Scope)
}
