/// The media types that requests come in.
enum MediaType {
    /// Whether a `Content-Type` says `application/x-www-form-urlencoded`. Its parameters have no meaning (the type
    /// registers none), but clients add `charset=utf-8`; another charset would mean other text, and is refused.
    static func isForm(_ contentType: String) -> Bool { names(form, contentType) }

    /// Whether a `Content-Type` says `application/json`, under the same rules (RFC 8259 section 11 registers no
    /// parameters either).
    static func isJSON(_ contentType: String) -> Bool { names("application/json", contentType) }

    private static func names(_ type: String, _ contentType: String) -> Bool {
        if contentType == type { return true }
        var parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false)[...]
        guard !parts.isEmpty, trimmed(parts.removeFirst()) == type else { return false }
        return parts.allSatisfy { part in
            let parameter = trimmed(part)
            guard parameter.hasPrefix("charset=") else { return !parameter.contains(",") }
            return ["utf-8", "\"utf-8\""].contains(parameter.dropFirst("charset=".count))
        }
    }

    private static let form = "application/x-www-form-urlencoded"

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
