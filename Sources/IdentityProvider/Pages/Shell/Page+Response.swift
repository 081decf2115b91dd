import HTTPMessages

extension Page {
    /// The page as it is sent.
    package func response(_ setting: PageSetting) -> ServerResponse {
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: setting.language.tag,
            // A page holds one user's names and proofs, and is in one of several languages.
            .cacheControl: "no-store",
            .vary: "Accept-Language",
            .contentSecurityPolicy: policy.text,
            // For browsers that do not know `frame-ancestors` (RFC 7034).
            .frameOptions: "DENY",
            .contentTypeOptions: "nosniff",
            // Nobody else learns an address of ours. Not `no-referrer`: with it, browsers send our own forms with
            // `Origin: null` (Fetch section 3.2), and their origin could not be checked.
            .referrerPolicy: "same-origin",
            .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ]
        if isolatesItself { fields.append(name: .crossOriginOpenerPolicy, value: "same-origin") }
        return ServerResponse(status: status, headerFields: fields, body: .bytes(bytes(setting)))
    }

    /// The page as HTML.
    package func bytes(_ setting: PageSetting) -> [UInt8] {
        var writer = HTMLWriter()
        writer.literal("<!DOCTYPE html>\n")
        writer.element("html", [.lang(setting.language.tag)]) { writer in
            writer.element("head") { writeShellHead(into: &$0, setting) }
            writer.element("body", [isWide ? .class("wide") : nil]) { writer in
                writer.writeBrand(setting)
                writer.element("main") { writeContent(into: &$0, setting) }
                writer.writeFoot(setting)
            }
        }
        return writer.takeBytes()
    }

    private func writeShellHead(into writer: inout HTMLWriter, _ setting: PageSetting) {
        writer.void("meta", [.utf8])
        writer.void("meta", [.name("viewport"), .content("width=device-width, initial-scale=1")])
        writer.void("meta", [.name("color-scheme"), .content("light dark")])
        writer.void("meta", [.name("robots"), .content("noindex")])
        writer.element("title", title(setting.texts) + " · " + setting.shownName)
        writer.void("link", [.rel("icon"), .icon(PageStyle.icon)])
        writer.element("style") { $0.literal(PageStyle.source) }
        writeHead(into: &writer)
    }
}

extension PageSetting {
    fileprivate var shownName: String { DisplayText.cut(providerName, to: 60) }
}

extension HTMLWriter {
    fileprivate mutating func writeBrand(_ setting: PageSetting) {
        element("header", [.class("brand")]) { writer in
            writer.element("svg", [.viewBox("0 0 24 24"), .ariaHidden]) { writer in
                writer.element("path", [.path(PageStyle.mark)]) { _ in }
            }
            writer.foreign(setting.providerName, limit: 60)
        }
    }

    fileprivate mutating func writeFoot(_ setting: PageSetting) {
        guard setting.isMock else { return }
        element("footer", [.class("foot")]) { $0.element("p", setting.texts.common.mockNotice) }
    }
}
