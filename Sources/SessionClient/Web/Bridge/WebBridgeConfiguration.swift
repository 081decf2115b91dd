/// What a bridge to a web view goes by.
///
///     var configuration = WebBridgeConfiguration(
///         origins: [WebOrigin("https://app.example")!], refreshCookies: ["__Host-refresh"])
///     configuration.limits = WebBridgeConfiguration.Limits()
///     configuration.limits.opening = .seconds(5)
public struct WebBridgeConfiguration: Sendable {
    /// Whose pages may ask the app for the session: these, and not what is below or beside them.
    public var origins: [WebOrigin]
    /// The names of cookies that hold a refresh token. None of them is ever put into the web view, whoever offers it, and one
    /// that is found there is taken out.
    public var refreshCookies: [String]
    /// Which frames of such a page may ask: the main one alone, unless it is said otherwise.
    public var frames = Frames.mainFrame
    /// How long and how often the bridge does what. The defaults suit a phone.
    public var limits = Limits()

    /// - Parameters:
    ///   - origins: whose pages may ask.
    ///   - refreshCookies: names of cookies that no web view gets; none, where tokens are in bodies.
    public init(origins: [WebOrigin], refreshCookies: [String] = []) {
        self.origins = origins
        self.refreshCookies = refreshCookies
    }

    /// Which frames of a page may ask.
    public enum Frames: Hashable, Sendable {
        case mainFrame
        /// Frames inside of other pages too: whoever shows such a page in his own can have it ask.
        case allowInnerFrames
    }

    /// How long and how often.
    public struct Limits: Sendable {
        /// Until an answer of the cookie store is not waited for any more (C2).
        public var answer: Duration = .seconds(1)
        /// Between two looks, at first; then twice as long each time.
        public var pause: Duration = .milliseconds(25)
        /// No pause between two looks becomes longer.
        public var longestPause: Duration = .seconds(2)
        /// Looks after a write before the same is written again.
        public var looksPerWrite = 5
        /// Writes that nobody waits for, before the bridge leaves alone a store that does not take them, and takes its time
        /// with one in which somebody undoes them.
        public var idleWrites = 5
        /// The most of the time that it takes then; also between two looks that nobody waits for.
        public var quarrel: Duration = .seconds(60)
        /// Until `open` fails.
        public var opening: Duration = .seconds(15)
        /// Until a page is opened with the state that is known, where the session does not say what it has now.
        public var session: Duration = .seconds(5)
        /// Until a page is told that there is no answer now.
        public var message: Duration = .seconds(30)
        /// Messages of pages that wait at the same time.
        public var messages = 64
        /// Until a change of one's own should have been heard of (C5).
        public var observer: Duration = .seconds(1)

        /// The defaults.
        public init() {}
    }
}
