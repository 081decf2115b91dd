import HTTPMessages

/// A page: a model that knows how to write itself. Nothing in it decides; what it shows was decided by the endpoint.
package protocol Page: Sendable {
    var status: HTTPResponse.Status { get }
    var policy: ContentPolicy { get }
    /// Whether no window that opened this one may keep a hold on it (`Cross-Origin-Opener-Policy`).
    ///
    /// Not where a client sends its users: one that opens a window for the login (`display=popup`) waits for that window
    /// to come back to it, and it would not.
    var isolatesItself: Bool { get }
    /// Holds more than a form, and wants more room.
    var isWide: Bool { get }

    /// What the window is called.
    func title(_ texts: PageTexts) -> String
    func writeHead(into writer: inout HTMLWriter)
    /// What stands in `main`, from its `h1` on.
    func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting)
}

extension Page {
    package var status: HTTPResponse.Status { .ok }
    package var isolatesItself: Bool { false }
    package var isWide: Bool { false }
    package func writeHead(into writer: inout HTMLWriter) {}
}
