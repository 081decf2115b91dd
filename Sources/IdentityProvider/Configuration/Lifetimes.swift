/// How long things are good, apart from access and ID tokens. All in whole seconds, from one on.
package struct Lifetimes: Sendable, Hashable {
    /// RFC 6749 section 4.1.2: ten minutes at most.
    package var authorizationCode = Duration.seconds(60)
    /// From the authorization on: rotation does not extend it.
    package var refreshTokens = Duration.seconds(30 * 86_400)
    /// Of a login in a browser.
    package var login = Duration.seconds(12 * 3600)
    /// How long a user may take over the pages of a login.
    package var interaction = Duration.seconds(600)
    /// RFC 9126 section 2.2: between five and 600 seconds.
    package var pushedRequest = Duration.seconds(90)
    /// RFC 8628 section 3.2.
    package var deviceCode = Duration.seconds(600)
    /// RFC 8628 section 3.2: the least time between two questions of a device.
    package var devicePollInterval = Duration.seconds(5)
    /// The longest lifetime that an assertion of a client may have. Libraries make them for up to an hour.
    package var assertion = Duration.seconds(3600)

    package init() {}

    var all: [Duration] {
        [
            authorizationCode, refreshTokens, login, interaction, pushedRequest, deviceCode, devicePollInterval,
            assertion,
        ]
    }
}
