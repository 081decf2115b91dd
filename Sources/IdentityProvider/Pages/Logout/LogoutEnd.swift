/// What is left to do once the session has ended.
package struct LogoutEnd: Sendable {
    /// The clients that are told through the browser: each is loaded in a frame
    /// (OpenID Connect Front-Channel Logout section 3). What is no web address is left out.
    package var frames: [PageURL]
    /// Where the user goes then, by itself.
    package var continueTo: PageURL?
    /// Who awaits the user there.
    package var clientName: String?

    package init(frames: [PageURL] = [], continueTo: PageURL? = nil, clientName: String? = nil) {
        self.frames = frames.filter { $0.scheme == "http" || $0.scheme == "https" }
        self.continueTo = continueTo
        self.clientName = clientName
    }

    /// The frames need a moment to load. Without any there is nothing to wait for.
    var delay: Duration { frames.isEmpty ? .zero : .seconds(3) }
}
