#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension JSONWriter {
    /// Where the next byte goes, within room that has been made for it.
    struct Cursor {
        /// A sign and nineteen digits.
        static let integerCapacity = 20

        private(set) var position: UnsafeMutablePointer<UInt8>

        init(_ position: UnsafeMutablePointer<UInt8>) {
            self.position = position
        }
    }
}

extension JSONWriter.Cursor {
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        position.pointee = byte
        position += 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafePointer<UInt8>, count: Int) {
        memcpy(position, bytes, count)
        position += count
    }

    /// `"name":`, with a comma before it if it is to be `separated`.
    @inline(__always)
    mutating func put(name: StaticString, separated: Bool) {
        let count = name.utf8CodeUnitCount
        assert(JSONScan.unescapedPrefix(name.utf8Start, count: count) == count, "a static name must need no escape")
        if separated { put(UInt8(ascii: ",")) }
        put(UInt8(ascii: "\""))
        put(name.utf8Start, count: count)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
    }

    /// A string that needs no escape.
    @inline(__always)
    mutating func put(quoted text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        if let start = text.baseAddress { put(start, count: text.count) }
        put(UInt8(ascii: "\""))
    }

    /// A string with the escapes that RFC 8259 section 7 demands, and no others.
    mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return put(quoted: text) }
        put(UInt8(ascii: "\""))
        var done = 0
        while done < text.count {
            let plain = JSONScan.unescapedPrefix(start + done, count: text.count - done)
            put(start + done, count: plain)
            done += plain
            guard done < text.count else { break }
            put(escapeOf: text[done])
            done += 1
        }
        put(UInt8(ascii: "\""))
    }

    private mutating func put(escapeOf byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
        case 0x08: put(UInt8(ascii: "b"))
        case 0x09: put(UInt8(ascii: "t"))
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0C: put(UInt8(ascii: "f"))
        case 0x0D: put(UInt8(ascii: "r"))
        default:
            let digits: StaticString = "0123456789abcdef"
            put(UInt8(ascii: "u"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0"))
            put(digits.utf8Start[Int(byte >> 4)])
            put(digits.utf8Start[Int(byte & 15)])
        }
    }

    @inline(__always)
    mutating func put(integer: Int64) {
        if integer < 0 { put(UInt8(ascii: "-")) }
        var rest = integer.magnitude
        var count = 1
        var bound: UInt64 = 10
        // The largest magnitude has nineteen digits, so `bound` ends at ten to the nineteenth, which still fits.
        while rest >= bound && count < 19 {
            count += 1
            bound &*= 10
        }
        var here = position + count
        position = here
        for _ in 0..<count {
            here -= 1
            here.pointee = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
    }
}
