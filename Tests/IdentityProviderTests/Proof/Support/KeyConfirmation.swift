import IdentityProvider

/// The test library has a type of the same name.
typealias KeyConfirmation = Confirmation
