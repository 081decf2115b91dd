import OAuth
import Testing

/// In which way the modules of the Basic profile are run: the Dynamic and the Form Post profile run them again.
struct ConformanceProfile: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the client registers itself (OpenID Connect Dynamic Client Registration) or stands in the configuration.
    var isDynamic = false
    var responseMode: ResponseMode?
    var authenticationMethod = "client_secret_basic"

    static let basic = Self(name: "basic")
    static let dynamic = Self(name: "dynamic", isDynamic: true)
    static let formPost = Self(name: "form_post", responseMode: .formPost)

    static let all = [basic, dynamic, formPost]

    /// The Dynamic profile proper: its own modules have the client prove itself by a key.
    static let dynamicWithKey = Self(
        name: "dynamic, private_key_jwt", isDynamic: true, authenticationMethod: "private_key_jwt")

    func authenticating(by method: String) -> Self {
        var profile = self
        profile.authenticationMethod = method
        return profile
    }

    var testDescription: String { name }
}
