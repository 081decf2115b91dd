/// An attribute of an element. Only the kinds named here exist: none that runs a script or carries a style, and those
/// that lead somewhere take a ``PageURL``.
package struct HTMLAttribute: Sendable {
    let name: StaticString
    /// `nil` for one that is true by being there.
    let value: String?

    private init(_ name: StaticString, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

extension HTMLAttribute {
    package static func id(_ value: String) -> Self { Self("id", value) }
    package static func `class`(_ value: String) -> Self { Self("class", value) }
    package static func lang(_ tag: String) -> Self { Self("lang", tag) }
    package static func title(_ value: String) -> Self { Self("title", value) }
    package static func role(_ value: String) -> Self { Self("role", value) }
    package static func ariaDescribedBy(_ id: String) -> Self { Self("aria-describedby", id) }
    package static func ariaLabelledBy(_ id: String) -> Self { Self("aria-labelledby", id) }
    package static let ariaInvalid = Self("aria-invalid", "true")
    package static let ariaHidden = Self("aria-hidden", "true")
    package static let hidden = Self("hidden")
    package static let scopeColumn = Self("scope", "col")
    package static let scopeRow = Self("scope", "row")
}

extension HTMLAttribute {
    package static func href(_ url: PageURL) -> Self { Self("href", url.text) }
    package static func src(_ url: PageURL) -> Self { Self("src", url.text) }
    package static func action(_ url: PageURL) -> Self { Self("action", url.text) }
    package static func rel(_ value: String) -> Self { Self("rel", value) }
    /// What a frame may do: keep its own origin and run its scripts, but not lead the page around it elsewhere.
    package static let framed = Self("sandbox", "allow-same-origin allow-scripts")
}

extension HTMLAttribute {
    package static func type(_ value: String) -> Self { Self("type", value) }
    package static func name(_ value: String) -> Self { Self("name", value) }
    package static func value(_ value: String) -> Self { Self("value", value) }
    package static func `for`(_ id: String) -> Self { Self("for", id) }
    package static func autocomplete(_ value: String) -> Self { Self("autocomplete", value) }
    package static func autocapitalize(_ value: String) -> Self { Self("autocapitalize", value) }
    package static func maxlength(_ count: Int) -> Self { Self("maxlength", "\(count)") }
    package static func rows(_ count: Int) -> Self { Self("rows", "\(count)") }
    package static let post = Self("method", "post")
    package static let noSpellcheck = Self("spellcheck", "false")
    package static let required = Self("required")
    package static let checked = Self("checked")
    package static let open = Self("open")
    package static let autofocus = Self("autofocus")
    package static let formnovalidate = Self("formnovalidate")
}

extension HTMLAttribute {
    package static let utf8 = Self("charset", "utf-8")
    package static func content(_ value: String) -> Self { Self("content", value) }
    package static let refreshes = Self("http-equiv", "refresh")
    /// Goes elsewhere by itself (HTML Living Standard, section 4.2.5.3).
    package static func refresh(to url: PageURL, after delay: Duration) -> Self {
        Self("content", "\(max(0, delay.components.seconds));url=\(url.text)")
    }
    /// The picture of the tab, in the page itself: nothing is fetched for it.
    package static func icon(_ picture: StaticString) -> Self { Self("href", "\(picture)") }
    package static func viewBox(_ value: String) -> Self { Self("viewBox", value) }
    package static func path(_ value: String) -> Self { Self("d", value) }
}
