extension JSONReader {
    /// A string from its opening quotation mark to past the closing one (RFC 8259 section 7).
    mutating func string() throws(JSONError) -> String {
        let start = position + 1
        let (stop, hasEscapes) = try scanString(from: start)
        guard stop - start <= limits.stringBytes else { throw error(.stringTooLong, at: position) }
        position = stop + 1
        let raw = UnsafeBufferPointer(start: base + start, count: stop - start)
        return hasEscapes ? unescape(raw) : String(decoding: raw, as: UTF8.self)
    }

    /// Finds the closing quotation mark and checks everything on the way.
    private func scanString(from start: Int) throws(JSONError) -> (stop: Int, hasEscapes: Bool) {
        var here = start
        var hasEscapes = false
        while true {
            here += JSONScan.plainASCIIPrefix(base + here, count: end - here)
            guard here < end else { throw error(.endOfText, at: end) }
            switch base[here] {
            case UInt8(ascii: "\""): return (here, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                here += try escapeLength(at: here)
            case ..<0x20: throw error(.controlCharacter, at: here)
            default: here += try characterLength(at: here)
            }
        }
    }

    /// The bytes of one character beyond ASCII, by the table of RFC 3629 section 4: no overlong form, no surrogate,
    /// nothing above U+10FFFF.
    private func characterLength(at offset: Int) throws(JSONError) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch base[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw error(.malformedUTF8, at: offset)
        }
        for index in 1..<length {
            guard offset + index < end else { throw error(.endOfText, at: end) }
            let allowed = index == 1 ? second : 0x80...0xBF
            guard allowed.contains(base[offset + index]) else { throw error(.malformedUTF8, at: offset) }
        }
        return length
    }

    /// The bytes of one escape; for a surrogate that of the pair.
    private func escapeLength(at offset: Int) throws(JSONError) -> Int {
        guard offset + 1 < end else { throw error(.endOfText, at: end) }
        switch base[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at: offset)
            if UTF16.isTrailSurrogate(unit) { throw error(.loneSurrogate, at: offset) }
            guard UTF16.isLeadSurrogate(unit) else { return 6 }
            let next = offset + 6
            guard next + 1 < end, base[next] == UInt8(ascii: "\\"), base[next + 1] == UInt8(ascii: "u"),
                UTF16.isTrailSurrogate(try codeUnit(at: next))
            else { throw error(.loneSurrogate, at: offset) }
            return 12
        default: throw error(.malformedEscape, at: offset)
        }
    }

    /// The UTF-16 code unit of the `\uXXXX` at that offset.
    private func codeUnit(at offset: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for index in offset + 2..<offset + 6 {
            guard index < end else { throw error(.endOfText, at: end) }
            guard let digit = base[index].hexDigitValue else { throw error(.malformedEscape, at: offset) }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// What the escapes stand for; `raw` has been checked.
    private func unescape(_ raw: UnsafeBufferPointer<UInt8>) -> String {
        // No escape is shorter than the character it stands for.
        String(unsafeUninitializedCapacity: raw.count) { output in
            var from = 0
            var to = 0
            while from < raw.count {
                let byte = raw[from]
                guard byte == UInt8(ascii: "\\") else {
                    output[to] = byte
                    from += 1
                    to += 1
                    continue
                }
                let kind = raw[from + 1]
                guard kind == UInt8(ascii: "u") else {
                    output[to] = Self.character(escapedAs: kind)
                    from += 2
                    to += 1
                    continue
                }
                var units = [Self.checkedUnit(raw, from)]
                from += 6
                if UTF16.isLeadSurrogate(units[0]) {
                    units.append(Self.checkedUnit(raw, from))
                    from += 6
                }
                for byte in String(decoding: units, as: UTF16.self).utf8 {
                    output[to] = byte
                    to += 1
                }
            }
            return to
        }
    }

    private static func character(escapedAs kind: UInt8) -> UInt8 {
        switch kind {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: kind
        }
    }

    private static func checkedUnit(_ raw: UnsafeBufferPointer<UInt8>, _ offset: Int) -> UInt16 {
        raw[offset + 2..<offset + 6].reduce(0) { $0 << 4 | UInt16($1.hexDigitValue ?? 0) }
    }
}
