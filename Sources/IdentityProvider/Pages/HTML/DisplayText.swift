import Primitives

/// Makes texts that others wrote fit to be shown.
package enum DisplayText {
    /// In characters. A client's name or a description that is longer is cut, so that it cannot push what matters out
    /// of sight.
    package static let longestText = 200

    /// In scalars to a character on average: beyond that it is no writing, but marks piled on marks.
    private static let scalarsPerCharacter = 4

    /// With what would act on the display, or hide, as escapes: `a\u{202E}b`. Line feeds stay.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeShown) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if mustBeShown(scalar) {
                shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// With an ellipsis in place of what is beyond the limit.
    package static func cut(_ text: String, to limit: Int) -> String {
        var short = text.prefix(limit)
        let scalars = limit * scalarsPerCharacter
        if short.unicodeScalars.count > scalars {
            short = Substring(String(String.UnicodeScalarView(short.unicodeScalars.prefix(scalars))))
        }
        return short.utf8.count == text.utf8.count ? text : short + "…"
    }

    /// Whether a text shows all that it is.
    package static func isPlain(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: \.actsOnDisplay)
    }

    private static func mustBeShown(_ scalar: Unicode.Scalar) -> Bool {
        scalar.actsOnDisplay && scalar != "\n"
    }
}
