/// How a browser is to be set up.
package struct BrowserOptions: Sendable {
    /// What it says in `Accept-Language`, the preferred one first: `ko-KR,ko`.
    package var languages: String
    package var scheme: Scheme
    package var runsScripts: Bool
    package var width: Int
    package var height: Int

    package enum Scheme: String, Sendable, CaseIterable {
        case light, dark
    }

    package init(
        languages: String = "en-US,en", scheme: Scheme = .light, runsScripts: Bool = true, width: Int = 1024,
        height: Int = 768
    ) {
        self.languages = languages
        self.scheme = scheme
        self.runsScripts = runsScripts
        self.width = width
        self.height = height
    }
}
