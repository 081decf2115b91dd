import Primitives

/// What a page has said to the app, and waits for an answer to.
///
///     let message = ScriptMessage(
///         origin: WebOrigin("https://app.example"), isMainFrame: true, body: ["type": "refresh"]
///     ) { answer($0) }
///     handler(.message(message))
public struct ScriptMessage: Sendable {
    /// Where the frame comes from that said it; `nil`: from nowhere that has a name (a sandboxed frame, a `data:` URL).
    public let origin: WebOrigin?
    /// Whether it was said by the page itself, and not by one inside it.
    public let isMainFrame: Bool
    /// What was said.
    public let body: JSON
    /// To be called once. What it says to a page that is gone is heard by nobody.
    public let reply: @Sendable (ScriptReply) -> Void

    /// For a ``WebSurface``, which hears of it from its engine.
    public init(
        origin: WebOrigin?, isMainFrame: Bool, body: JSON, reply: @escaping @Sendable (ScriptReply) -> Void
    ) {
        self.origin = origin
        self.isMainFrame = isMainFrame
        self.body = body
        self.reply = reply
    }
}

/// How the promise of a page ends.
///
///     message.reply(.value(["status": "signed_in", "generation": 7]))
public enum ScriptReply: Hashable, Sendable {
    case value(JSON)
    /// The promise is rejected, with this text.
    case failure(String)
}
