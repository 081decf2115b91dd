import HTTPMessages
import OAuth
import Primitives

/// What a browser shows at the end: a page of the provider, or the address of another site where it was sent.
struct BrowserPage {
    let answer: Answer
    /// The path that led here.
    let path: String
    /// The address outside the provider.
    let location: String?

    var status: Int { answer.status }
    var text: String { String(decoding: answer.body, as: UTF8.self) }
    var isHTML: Bool { answer.field("Content-Type")?.hasPrefix("text/html") ?? false }
    /// Without its query.
    var name: String { String(path.prefix { $0 != "?" }) }

    /// What is between the tags of an element.
    func content(of element: String) -> String? {
        guard let start = text.range(of: "<\(element)"), let open = text[start.upperBound...].firstIndex(of: ">"),
            let end = text[open...].range(of: "</\(element)>")
        else { return nil }
        return String(text[text.index(after: open)..<end.lowerBound])
    }

    /// The parameters of the answer that the client gets, however it travels.
    var parameters: [String: String] {
        guard let location else {
            guard let form, form.action.hasPrefix("/") == false else { return [:] }
            return Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
        }
        guard let mark = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return [:] }
        let query = Array(location[location.index(after: mark)...].utf8)
        let form = try? FormParameters(parsing: query.span)
        return Dictionary((form ?? FormParameters()).map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The first form.
    var form: BrowserForm? { BrowserForm(in: text) }
}

/// A form of a page, as far as it is sent without anybody's doing.
struct BrowserForm {
    /// What is sent.
    struct Field {
        let name: String
        let value: String
        let isCheckbox: Bool
        let isHidden: Bool
    }

    let action: String
    private(set) var fields: [Field] = []
    /// The buttons by which it can be sent.
    private(set) var buttons: [Field] = []

    init?(in html: String) {
        guard let start = html.range(of: "<form"), let end = html[start.upperBound...].range(of: "</form>") else {
            return nil
        }
        let form = html[start.lowerBound..<end.lowerBound]
        action = Self.attributes(of: form).value("action") ?? ""
        for tag in form.split(separator: "<") {
            let attributes = Self.attributes(of: tag)
            guard let name = attributes.value("name") else { continue }
            let type = attributes.value("type")
            let field = Field(
                name: name, value: attributes.value("value") ?? "", isCheckbox: type == "checkbox",
                isHidden: type == "hidden")
            if tag.hasPrefix("input") {
                fields.append(field)
            } else if tag.hasPrefix("button") {
                buttons.append(field)
            } else if tag.hasPrefix("textarea"), let close = tag.firstIndex(of: ">") {
                let value = tag[tag.index(after: close)...].drop { $0 == "\n" }
                fields.append(Field(name: name, value: Self.decoded(value), isCheckbox: false, isHidden: false))
            }
        }
    }

    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The attributes of the tag that a text begins with.
    private static func attributes(of text: Substring) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        var rest = text.prefix { $0 != ">" }
        while let quote = rest.range(of: "=\""), let end = rest[quote.upperBound...].firstIndex(of: "\"") {
            let name = rest[..<quote.lowerBound].split { $0 == " " || $0 == "\n" }.last.map(String.init) ?? ""
            attributes.append((name, decoded(rest[quote.upperBound..<end])))
            rest = rest[rest.index(after: end)...]
        }
        return attributes
    }

    static func decoded(_ text: Substring) -> String {
        var text = String(text)
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
        }
        return text
    }
}

extension [(name: String, value: String)] {
    fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }
}

extension StringProtocol where SubSequence == Substring {
    /// The first place of a text in it.
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
