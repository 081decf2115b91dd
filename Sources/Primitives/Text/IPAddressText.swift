/// The text forms of IP addresses in a URI (RFC 3986 section 3.2.2).
package enum IPAddressText {
    /// Four decimal octets without leading zeros.
    package static func isIPv4(_ text: Span<UInt8>) -> Bool {
        var octets = 0
        var start = 0
        while start <= text.count {
            var end = start
            var octet = 0
            while end < text.count, text[end] != UInt8(ascii: ".") {
                guard text[end].isASCIIDigit, end - start < 3 else { return false }
                octet = octet * 10 + Int(text[end] - UInt8(ascii: "0"))
                end += 1
            }
            guard end > start, end - start == 1 || text[start] != UInt8(ascii: "0"), octet <= 255 else { return false }
            octets += 1
            start = end + 1
        }
        return octets == 4
    }

    /// Eight groups of hexadecimal digits, of which `::` stands for some that are zero, without the brackets. The last
    /// two may be an IPv4 address. No zone: it means something to the sender's machine alone (RFC 4007 section 11.2).
    package static func isIPv6(_ text: Span<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        var groups = 0
        var compressed = false
        var index = 0
        if text.count >= 2, text[0] == colon {
            guard text[1] == colon else { return false }
            compressed = true
            index = 2
        }
        while index < text.count {
            let start = index
            while index < text.count, text[index].hexDigitValue != nil { index += 1 }
            if index < text.count, text[index] == UInt8(ascii: ".") {
                guard isIPv4(text.extracting(start..<text.count)) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            guard index < text.count else { break }
            guard text[index] == colon, index + 1 < text.count else { return false }
            index += 1
            if text[index] == colon {
                guard !compressed else { return false }
                compressed = true
                index += 1
            }
        }
        return compressed ? groups <= 7 : groups == 8
    }
}
