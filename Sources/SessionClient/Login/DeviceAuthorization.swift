import HTTPMessages
import OAuth
import Primitives

/// What a user does elsewhere so that this device is signed in (RFC 8628 section 3.2).
///
///     try await session.signInWithDevice { prompt in
///         draw(prompt.completeVerificationURL ?? prompt.verificationURL)
///         print(prompt.userCode)
///     }
public struct DevicePrompt: Hashable, Sendable {
    /// What the user types there. It is short-lived, and meant to be seen.
    public let userCode: String
    /// Where he goes.
    public let verificationURL: String
    /// The same with the code in it, for a picture that a phone reads (section 3.3.1).
    public let completeVerificationURL: String?
    /// For how long.
    public let lifetime: Duration
}

/// The answer of the device authorization endpoint.
struct DeviceAuthorization: Sendable {
    let prompt: DevicePrompt
    let deviceCode: Secret
    /// Between two polls.
    let interval: Duration

    /// RFC 8628 section 3.2: where the server says nothing, clients MUST use 5 seconds.
    static let standardInterval = Duration.seconds(5)
    /// No server is asked more often, whatever it says.
    static let leastInterval = Duration.seconds(1)
    /// No user waits longer than this to be let in once he has said yes.
    static let greatestInterval = Duration.seconds(60)
    /// No user takes longer than a day.
    static let longestLifetime = Duration.seconds(86_400)
    /// Of what a user has to type.
    static let maximumUserCodeByteCount = 64
    private static let limits = JSONLimits(bytes: 64 << 10, depth: 16, stringBytes: 16 << 10, members: 100)

    /// `nil` where something that is REQUIRED is missing or cannot be used.
    init?(_ body: [UInt8]) {
        guard let members = try? JSON(parsing: body.span, limits: Self.limits).object,
            let code = members["device_code"]?.string, !code.isEmpty,
            code.utf8.allSatisfy(OAuthCharacters.isVisible),
            let userCode = members["user_code"]?.string,
            (1...Self.maximumUserCodeByteCount).contains(userCode.utf8.count),
            userCode.utf8.allSatisfy(OAuthCharacters.isVisible),
            let url = Self.url("verification_uri", in: members),
            let seconds = members["expires_in"]?.double, seconds > 0
        else { return nil }
        deviceCode = Secret(utf8: code)
        let lifetime = Duration.seconds(Int64(min(seconds.rounded(.up), Double(Self.longestLifetime.inSeconds))))
        prompt = DevicePrompt(
            userCode: userCode, verificationURL: url,
            completeVerificationURL: Self.url("verification_uri_complete", in: members), lifetime: lifetime)
        let interval = members["interval"]?.double.map {
            Duration.seconds(Int64(min(max($0.rounded(.up), 0), Double(Self.greatestInterval.inSeconds))))
        }
        self.interval = max(interval ?? Self.standardInterval, Self.leastInterval)
    }

    /// The user is sent there to sign in: not just anywhere.
    private static func url(_ name: String, in members: JSONObject) -> String? {
        guard let text = members[name]?.string else { return nil }
        return (try? ServerEndpoint(text))?.url
    }
}
