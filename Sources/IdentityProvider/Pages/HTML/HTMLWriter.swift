import Primitives

/// Writes HTML straight into bytes, and escapes by construction: names of elements are literals, texts and attribute
/// values are escaped as they are written, and an address gets in as a ``PageURL`` alone.
///
///     var writer = HTMLWriter()
///     writer.element("p", [.class("lead")]) { writer in
///         writer.text("Continue to ")
///         writer.foreign(client.name)
///     }
///
/// The syntax is that of the HTML Living Standard, section 13.1.2.
package struct HTMLWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingCapacity capacity: Int = 16 << 10) {
        bytes.reserveCapacity(capacity)
    }

    /// Hands over what has been written, without a copy, and starts anew.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// An element with what it holds. An attribute that is `nil` is left out.
    package mutating func element(
        _ name: StaticString, _ attributes: [HTMLAttribute?] = [], _ content: (inout HTMLWriter) -> Void
    ) {
        open(name, attributes)
        content(&self)
        literal("</")
        literal(name)
        literal(">")
    }

    /// An element that holds a text.
    package mutating func element(_ name: StaticString, _ attributes: [HTMLAttribute?], _ text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element that holds a text.
    package mutating func element(_ name: StaticString, _ text: String) {
        element(name, []) { $0.text(text) }
    }

    /// An element that can hold nothing, and has no end tag: `input`, `meta`.
    package mutating func void(_ name: StaticString, _ attributes: [HTMLAttribute?]) {
        open(name, attributes)
    }

    /// A text. What would act on the display or hide is written so that it can be seen.
    package mutating func text(_ text: String) {
        escape(DisplayText.visible(text))
    }

    /// A text that others wrote, such as a client's name: cut to a length, and set apart, so that the direction of its
    /// letters moves nothing around it.
    package mutating func foreign(_ text: String, limit: Int = DisplayText.longestText) {
        element("bdi") { $0.text(DisplayText.cut(text, to: limit)) }
    }

    /// A text that the user goes on editing, and that must come back as it was typed, tabs and all.
    package mutating func editable(_ text: String) {
        escape(text)
    }

    /// What stands in the source of this program, unescaped: the document type, a style, a script.
    package mutating func literal(_ literal: StaticString) {
        bytes.append(literal)
    }
}

extension HTMLWriter {
    private mutating func open(_ name: StaticString, _ attributes: [HTMLAttribute?]) {
        literal("<")
        literal(name)
        for case let attribute? in attributes {
            literal(" ")
            literal(attribute.name)
            guard let value = attribute.value else { continue }
            literal("=\"")
            escape(value)
            literal("\"")
        }
        literal(">")
    }

    /// Good for texts and for values in double quotes alike. A parser drops NUL and turns CR into LF, so the first is
    /// written as what a parser makes of it, and the second as a reference, which stays what it is.
    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): literal("&amp;")
            case UInt8(ascii: "<"): literal("&lt;")
            case UInt8(ascii: ">"): literal("&gt;")
            case UInt8(ascii: "\""): literal("&quot;")
            case UInt8(ascii: "'"): literal("&#39;")
            case UInt8(ascii: "\r"): literal("&#13;")
            case 0: literal("\u{FFFD}")
            default: bytes.append(byte)
            }
        }
    }
}
