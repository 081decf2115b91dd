extension SetCookie {
    /// Takes apart several fields that somebody has joined by commas, which RFC 9110 section 5.3 forbids for this one and
    /// some libraries do all the same.
    ///
    /// A comma is the end of a field where a name and an equals sign follow it, and not where the rest of a date does
    /// (`Expires=Thu, 01 Jan 2026 …`). One without a name cannot be told from what stands before it.
    ///
    ///     let fields = SetCookie.fields(folded: "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT, b=2")      // two
    public static func fields(folded text: String) -> [String] {
        var fields: [String] = []
        var start = text.utf8.startIndex
        var index = start
        while let comma = text.utf8[index...].firstIndex(of: UInt8(ascii: ",")) {
            index = text.utf8.index(after: comma)
            guard beginsCookie(text.utf8[index...]) else { continue }
            append(text[start..<comma], to: &fields)
            start = index
        }
        append(text[start...], to: &fields)
        return fields
    }

    private static func append(_ field: Substring, to fields: inout [String]) {
        let field = field.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        if !field.isEmpty { fields.append(String(Substring(field))) }
    }

    private static func beginsCookie(_ rest: Substring.UTF8View) -> Bool {
        let rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        // Names are tokens (RFC 6265bis section 4.1.1), so that a blank before the sign shows that this is none.
        let name = rest.prefix { $0 > 0x20 && $0 < 0x7F && !"=;,".utf8.contains($0) }
        return !name.isEmpty && rest[name.endIndex...].first == UInt8(ascii: "=")
    }
}
