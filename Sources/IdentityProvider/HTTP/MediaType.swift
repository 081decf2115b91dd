/// The media types that requests come in.
enum MediaType {
    /// Whether a `Content-Type` says `application/x-www-form-urlencoded`. Its parameters have no meaning (the type
    /// registers none), but clients add `charset=utf-8`; another charset would mean other text, and is refused.
    static func isForm(_ contentType: String) -> Bool {
        if contentType == form { return true }
        var parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false)[...]
        guard trimmed(parts.removeFirst()) == form else { return false }
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
