/// The way from a JSON value to one within it, for messages that say where something is wrong.
///
///     let path = JSONPath.root["clients"][2]["redirect_uris"][0]
///     "\(path)"                                       // clients[2].redirect_uris[0]
package struct JSONPath: Hashable, Sendable {
    /// One level down.
    package enum Step: Hashable, Sendable {
        case member(String)
        case index(Int)
    }

    package private(set) var steps: [Step]

    package static let root = JSONPath([])

    package init(_ steps: [Step]) { self.steps = steps }

    package subscript(name: String) -> JSONPath { JSONPath(steps + [.member(name)]) }
    package subscript(index: Int) -> JSONPath { JSONPath(steps + [.index(index)]) }

    /// One level up; the root has none.
    package var parent: JSONPath? { steps.isEmpty ? nil : JSONPath(steps.dropLast()) }
}

extension JSONPath: CustomStringConvertible {
    /// Names that are not plain are written as JSON strings in brackets, with everything escaped that would act on a
    /// display.
    package var description: String {
        guard !steps.isEmpty else { return "the whole document" }
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .member(let name) where Self.isPlain(name): text += text.isEmpty ? name : ".\(name)"
            case .member(let name): text += "[\(Self.quote(name))]"
            }
        }
        return text
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isASCIIDigit || ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
                    || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }

    private static func quote(_ name: String) -> String {
        var text = ""
        for scalar in JSON.string(name).text().unicodeScalars {
            if scalar.actsOnDisplay {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
