/// Forms, written alike on every page.
extension HTMLWriter {
    /// A form that is posted, with the fields that the endpoint wants back unseen: the interaction, and the proof that
    /// the form came from us.
    mutating func form(
        action: PageURL, hidden: [HiddenField], _ attributes: [HTMLAttribute?] = [],
        _ content: (inout HTMLWriter) -> Void
    ) {
        element("form", [.post, .action(action)] + attributes) { writer in
            writer.hiddenFields(hidden)
            content(&writer)
        }
    }

    mutating func hiddenFields(_ fields: [HiddenField]) {
        for field in fields {
            void("input", [.type("hidden"), .name(field.name), .value(field.value)])
        }
    }

    /// A label and its field. The field's name is also its identifier.
    mutating func field(_ label: String, name: String, type: String = "text", _ attributes: [HTMLAttribute?]) {
        element("div", [.class("field")]) { writer in
            writer.element("label", [.for(name)], label)
            writer.void("input", [.type(type), .id(name), .name(name)] + attributes)
        }
    }

    /// A button that submits the form it is in.
    mutating func button(_ label: String, _ look: ButtonLook, _ attributes: [HTMLAttribute?] = []) {
        element("button", [.type("submit"), .class(look.rawValue)] + attributes, label)
    }

    /// The buttons at the end of a form.
    mutating func actions(_ content: (inout HTMLWriter) -> Void) {
        element("div", [.class("actions")], content)
    }

    /// A person as a button: a letter in a circle, the name, and what tells namesakes apart.
    mutating func personButton(name: String, note: String?, _ attributes: [HTMLAttribute?]) {
        element("button", [.type("submit"), .class("person")] + attributes) { writer in
            writer.avatar(of: name)
            writer.element("span", [.class("who")]) { writer in
                writer.element("span", [.class("name")]) { $0.foreign(name) }
                // Read aloud, the two would run into one another.
                if note != nil { writer.text(" ") }
                if let note { writer.element("span", [.class("note")]) { $0.foreign(note) } }
            }
        }
    }

    mutating func avatar(of name: String) {
        let initial = name.first.map { DisplayText.isPlain(String($0)) ? $0.uppercased() : "?" } ?? "?"
        element("span", [.class("avatar"), .ariaHidden], DisplayText.cut(initial, to: 1))
    }
}

/// How much a button stands out.
enum ButtonLook: String {
    case primary, secondary, quiet
}
