/// What a browser makes of a URL, as far as the URL Standard of the WHATWG says where it leads. On purpose of another
/// make than the code that is tested: it reads what that refuses.
struct BrowserURL {
    let scheme: String
    /// `nil` but for `http` and `https`.
    private(set) var host: String?
    private(set) var hasUserInformation = false
    private(set) var textWithoutPort: [UInt8] = []
    /// The same with another port, host or path, or another spelling.
    private(set) var neighbours: [String] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        textWithoutPort = bytes
        guard scheme == "http" || scheme == "https" else { return }
        // A backslash is a slash, and there may be any number of them.
        let start = bytes[colon...].dropFirst().firstIndex { !#"/\"#.utf8.contains($0) } ?? bytes.endIndex
        let end = bytes[start...].firstIndex { #"/\?#"#.utf8.contains($0) } ?? bytes.endIndex
        let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        hasUserInformation = at != nil
        let authority = bytes[(at.map { $0 + 1 } ?? start)..<end]
        let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let port = authority[bracket...].firstIndex(of: UInt8(ascii: ":"))
        host = String(decoding: authority[..<(port ?? end)], as: UTF8.self).lowercased()
        if let port { textWithoutPort.removeSubrange(port..<end) }
        let before = String(decoding: bytes[..<start], as: UTF8.self)
        let behind = String(decoding: bytes[end...], as: UTF8.self)
        let name = String(decoding: authority[..<(port ?? end)], as: UTF8.self)
        let whole = String(decoding: authority, as: UTF8.self)
        neighbours = [
            "\(before)\(name):81\(behind)", "\(before)\(name)\(behind)", "\(before)x\(whole)\(behind)",
            "\(before)\(name).evil\(behind)", "\(before)\(whole)\(behind)x", "\(before)a@\(whole)\(behind)",
            text.uppercased(),
        ]
    }
}
