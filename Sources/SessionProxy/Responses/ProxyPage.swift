/// A page with a sentence and a link: what a user sees where his browser cannot be sent on.
struct ProxyPage: Sendable {
    let title: String
    let text: String
    let link: (path: LocalPath, text: String)
    /// Whether the browser goes there by itself.
    var goesOn = false

    var html: String {
        let path = Self.escaped(link.path.text)
        let refresh = goesOn ? "<meta http-equiv=\"refresh\" content=\"0;url=\(path)\">" : ""
        return
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\(refresh)<title>\(Self.escaped(title))</title>"
            + "<meta name=\"viewport\" content=\"width=device-width\"></head><body><h1>\(Self.escaped(title))</h1>"
            + "<p>\(Self.escaped(text))</p><p><a href=\"\(path)\">\(Self.escaped(link.text))</a></p></body></html>\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
