import Primitives

/// When and how a user proved who he is: `auth_time`, `amr` and `acr` of OpenID Connect Core section 2.
package struct Authentication: Hashable, Sendable {
    package let moment: Timestamp
    /// RFC 8176: `pwd` and the like.
    package let methods: [String]
    /// The class that was reached, if one was asked for.
    package let contextClass: String?

    package init(at moment: Timestamp, methods: [String], contextClass: String? = nil) {
        self.moment = moment
        self.methods = methods
        self.contextClass = contextClass
    }
}
