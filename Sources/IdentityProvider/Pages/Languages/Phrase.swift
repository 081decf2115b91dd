/// A sentence with a place in it for a name that is not ours. The name is escaped and set apart when the sentence is
/// written, wherever in the sentence a language puts it.
///
///     let phrase: Phrase = "to continue to \(.name)"
package struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// Stands for the name.
    package enum Place: Sendable { case name }

    /// `nil` where the name goes.
    let parts: [String?]

    package init(stringLiteral value: String) {
        parts = [value]
    }

    package init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
    }

    /// Takes the sentence apart at the name.
    package struct Interpolation: StringInterpolationProtocol {
        var parts: [String?] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(literal) }
        }

        package mutating func appendInterpolation(_ place: Place) {
            parts.append(nil)
        }
    }

    /// As a text without markup, for the title of a window.
    func plain(_ name: String) -> String {
        parts.map { $0 ?? DisplayText.cut(name, to: DisplayText.longestText) }.joined()
    }
}

extension HTMLWriter {
    /// A sentence with the name in its place.
    mutating func phrase(_ phrase: Phrase, _ name: String) {
        var isAfterName = false
        for part in phrase.parts {
            if let part {
                // A particle stays with its word. Without this, a line could end between them: what is set apart counts
                // as a thing of its own (Unicode Standard Annex 14, rule LB11 makes the exception).
                if isAfterName, part.first != " " { literal("&NoBreak;") }
                text(part)
            } else {
                element("strong") { $0.foreign(name) }
            }
            isAfterName = part == nil
        }
    }
}
