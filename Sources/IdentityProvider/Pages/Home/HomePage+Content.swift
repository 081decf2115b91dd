extension HomePage {
    /// In characters: a command line may name a client, a secret and an address.
    private static let longestCommand = 2000

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts.home
        writer.element("h1") { $0.foreign(setting.providerName) }
        writer.element("p", [.class("lead")], texts.lead)
        writer.element("h2", texts.issuer)
        writer.element("p", [.class("plain")]) { writer in writer.element("code") { $0.foreign(issuer) } }
        writeEndpoints(into: &writer, texts)
        if !users.isEmpty { writeUsers(into: &writer, texts) }
        if !clients.isEmpty { writeClients(into: &writer, texts) }
    }

    private func writeEndpoints(into writer: inout HTMLWriter, _ texts: PageTexts.Home) {
        writer.element("h2", texts.endpoints)
        writer.element("dl", [.class("facts")]) { writer in
            for entry in endpoints {
                writer.fact(entry.name) { writer in
                    writer.element("a", [.href(entry.url)]) { $0.foreign(entry.url.text) }
                }
            }
        }
    }

    private func writeUsers(into writer: inout HTMLWriter, _ texts: PageTexts.Home) {
        writer.element("h2", [.id("users")], texts.users)
        writer.element("p", [.class("small")], texts.usersLead)
        writer.element("div", [.class("table")]) { writer in
            writer.element("table", [.ariaLabelledBy("users")]) { writer in
                writer.element("thead") { writer in
                    writer.element("tr") { writer in
                        for head in [texts.userID, texts.name, texts.password] {
                            writer.element("th", [.scopeColumn], head)
                        }
                    }
                }
                writer.element("tbody") { writer in
                    for user in users { writer.element("tr") { write(user, into: &$0, texts) } }
                }
            }
        }
    }

    private func write(_ user: User, into writer: inout HTMLWriter, _ texts: PageTexts.Home) {
        writer.element("th", [.scopeRow]) { $0.foreign(user.id) }
        writer.element("td") { $0.foreign(user.name) }
        writer.element("td") { writer in
            if let password = user.password {
                writer.element("code") { $0.foreign(password) }
            } else {
                writer.element("span", [.class("small")], texts.anyPassword)
            }
        }
    }

    private func writeClients(into writer: inout HTMLWriter, _ texts: PageTexts.Home) {
        writer.element("h2", texts.clients)
        writer.element("p", [.class("small")], texts.clientsLead)
        for client in clients {
            writer.element("div", [.class("client")]) { writer in
                writer.element("p") { writer in
                    writer.element("span", [.class("name")]) { $0.foreign(client.id) }
                    writer.text(" ")
                    if let note = client.note { writer.element("span", [.class("note")]) { $0.foreign(note) } }
                }
                writer.element("pre") { writer in
                    writer.element("code") { $0.text(DisplayText.cut(client.command, to: Self.longestCommand)) }
                }
            }
        }
    }
}
