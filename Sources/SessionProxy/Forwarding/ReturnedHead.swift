import HTTPMessages
import Primitives

/// The head of the upstream's answer as the browser gets it.
struct ReturnedHead: Sendable {
    let upstream: UpstreamAddress
    let cookies: ProxyCookies

    func make(of head: HTTPResponse) -> HTTPResponse {
        var fields = HTTPFields()
        for field in HopFields.removed(from: head.headerFields) {
            switch field.name.wellKnown {
            case .setCookie:
                guard cookies.mayBeSet(field.value),
                    let cookie = UpstreamCookiePath(upstream: upstream).returned(field.value)
                else { continue }
                fields.append(name: .setCookie, value: cookie)
            // What the server of the proxy says itself, and what the upstream cannot say of the way to the proxy.
            case .contentLength, .xRequestID: continue
            case .location: fields.append(name: .location, value: location(field.value))
            case _ where field.name == .clearSiteData:
                if let kept = Self.sparingCookies(field.value) { fields.append(name: .clearSiteData, value: kept) }
            case _ where field.name == .altSvc: continue
            default: fields.append(field)
            }
        }
        if !Self.saysWhetherItIsShared(fields[.cacheControl]) {
            // RFC 9111 section 3.5: no cache shares the answer to a request with `Authorization` unless the answer says so. The
            // browser's request had none, so that the answer must say what was left unsaid.
            fields.append(name: .cacheControl, value: "private")
        }
        return HTTPResponse(status: head.status, headerFields: fields)
    }

    /// An upstream that sends browsers to itself, by the name that it was asked under or by a path of its own, sends them here.
    private func location(_ text: String) -> String {
        let isPath = text.hasPrefix("/")
        guard isPath || text.utf8.starts(with: upstream.origin.utf8) else { return text }
        let rest = isPath ? text : String(text.utf8.dropFirst(upstream.origin.utf8.count)) ?? ""
        guard rest.utf8.starts(with: upstream.basePath.utf8) else { return text }
        let path = String(rest.utf8.dropFirst(upstream.basePath.utf8.count)) ?? ""
        guard path.hasPrefix("/") else { return path.isEmpty || path.hasPrefix("?") ? "/" + path : text }
        // Two slashes would be another host; and so would others be, by what browsers change and drop before they read.
        return path.hasPrefix("//") || !path.utf8.allSatisfy(Self.isKeptByBrowsers) ? text : path
    }

    private static func isKeptByBrowsers(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")
    }

    /// An upstream that has the browser forget everything means what it has put there: the session is ended by the proxy, which has
    /// the tokens to end with it (Clear Site Data section 3.1).
    private static func sparingCookies(_ text: String) -> String? {
        let types = text.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        var kept = types.filter { !sameText($0, #""cookies""#) && !sameText($0, #""*""#) }
        if types.contains(where: { sameText($0, #""*""#) }) { kept += [#""cache""#, #""storage""#] }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }

    private static func saysWhetherItIsShared(_ cacheControl: String?) -> Bool {
        guard let cacheControl else { return false }
        let names = cacheControl.lowercased().split(separator: ",").map { directive in
            directive.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" }
        }
        return names.contains { ["private", "public", "no-store", "s-maxage", "must-revalidate"].contains($0) }
    }
}

extension HTTPField.Name {
    static let altSvc = Self(validated: "Alt-Svc")
    static let clearSiteData = Self(validated: "Clear-Site-Data")
}
