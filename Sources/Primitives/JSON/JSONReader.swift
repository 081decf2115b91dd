/// Reads one JSON text in one pass over borrowed bytes (RFC 8259).
///
/// Descends by recursion, no deeper than the limit. Strings are found and checked first and copied once.
struct JSONReader {
    let base: UnsafePointer<UInt8>
    let end: Int
    let limits: JSONLimits
    var position = 0
    private var depth = 0

    /// The bytes must outlive the reader.
    init(_ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        // An empty buffer has no address; no byte is ever read from this one.
        base = text.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = text.count
        self.limits = limits
    }

    mutating func document() throws(JSONError) -> JSON {
        guard end <= limits.bytes else { throw error(.tooManyBytes, at: limits.bytes) }
        if end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { throw error(.byteOrderMark, at: 0) }
        skipWhiteSpace()
        let value = try value()
        skipWhiteSpace()
        guard position == end else { throw error(.trailingBytes, at: position) }
        return value
    }

    mutating func value() throws(JSONError) -> JSON {
        guard position < end else { throw error(.endOfText, at: end) }
        switch base[position] {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        case UInt8(ascii: "+"), UInt8(ascii: "."): throw error(.malformedNumber, at: position)
        default: throw error(.unexpectedByte, at: position)
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try descend()
        defer { depth -= 1 }
        if skip(UInt8(ascii: "}")) { return JSONObject() }
        var object = JSONObject(reservingCapacity: 8)
        while true {
            let start = position
            guard position < end else { throw error(.endOfText, at: end) }
            guard base[position] == UInt8(ascii: "\"") else { throw error(.unexpectedByte, at: position) }
            let name = try string()
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            guard object.count < limits.members else { throw error(.tooManyMembers, at: start) }
            guard !object.contains(name) else { throw error(.duplicateName, at: start) }
            object.append(name, try value())
            skipWhiteSpace()
            if skip(UInt8(ascii: "}")) { return object }
            try expect(UInt8(ascii: ","))
            skipWhiteSpace()
        }
    }

    private mutating func array() throws(JSONError) -> [JSON] {
        try descend()
        defer { depth -= 1 }
        var array: [JSON] = []
        if skip(UInt8(ascii: "]")) { return array }
        while true {
            guard array.count < limits.members else { throw error(.tooManyMembers, at: position) }
            array.append(try value())
            skipWhiteSpace()
            if skip(UInt8(ascii: "]")) { return array }
            try expect(UInt8(ascii: ","))
            skipWhiteSpace()
        }
    }

    /// Past the opening bracket, one deeper.
    mutating func descend() throws(JSONError) {
        guard depth < limits.depth else { throw error(.tooDeep, at: position) }
        depth += 1
        position += 1
        skipWhiteSpace()
    }
}

extension JSONReader {
    /// RFC 8259 section 2: space, tab, line feed, carriage return; nothing else is white space.
    mutating func skipWhiteSpace() {
        while position < end {
            switch base[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < end, base[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard position < end else { throw error(.endOfText, at: end) }
        guard base[position] == byte else { throw error(.unexpectedByte, at: position) }
        position += 1
    }

    /// One of the three literal names (RFC 8259 section 3).
    mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
    }

    /// RFC 8259 section 6: an optional minus, digits without a leading zero, a fraction, an exponent.
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            try digits()
        } else if position < end, isDigit(base[position]) {
            throw error(.malformedNumber, at: position)
        }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        guard position - start <= limits.numberDigits else { throw error(.numberTooLong, at: start) }
        let bytes = UnsafeBufferPointer(start: base + start, count: position - start)
        return JSONNumber(checkedLiteral: String(decoding: bytes, as: UTF8.self))
    }

    /// One digit or more.
    private mutating func digits() throws(JSONError) {
        guard position < end else { throw error(.endOfText, at: end) }
        guard isDigit(base[position]) else { throw error(.malformedNumber, at: position) }
        while position < end, isDigit(base[position]) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The error at that offset; lines and columns are counted only now that somebody needs them.
    func error(_ kind: JSONError.Kind, at offset: Int) -> JSONError {
        let place = place(at: offset)
        return JSONError(kind: kind, offset: offset, line: place.line, column: place.column)
    }
}
