/// Writes a JSON value for people: one member or element per line, two spaces per level, a line break at the end.
struct JSONPrettyPrinter {
    private var bytes: [UInt8] = []
    private var depth = 0

    static func print(_ value: JSON) -> [UInt8] {
        var printer = JSONPrettyPrinter()
        printer.write(value)
        printer.bytes.append(UInt8(ascii: "\n"))
        return printer.bytes
    }

    private mutating func write(_ value: JSON) {
        switch value {
        case .array(let elements):
            write(elements, from: "[", to: "]") { $0.write($1) }
        case .object(let object):
            write(object, from: "{", to: "}") { printer, member in
                printer.writeScalar(.string(member.name))
                printer.bytes.append(": ")
                printer.write(member.value)
            }
        case .null, .bool, .number, .string: writeScalar(value)
        }
    }

    private mutating func writeScalar(_ value: JSON) {
        bytes.append(contentsOf: value.serialised())
    }

    private mutating func write<Items: Sequence>(
        _ items: Items,
        from opening: StaticString,
        to closing: StaticString,
        writeItem: (inout JSONPrettyPrinter, Items.Element) -> Void
    ) {
        bytes.append(opening)
        depth += 1
        var isEmpty = true
        for item in items {
            if !isEmpty { bytes.append(UInt8(ascii: ",")) }
            isEmpty = false
            breakLine()
            writeItem(&self, item)
        }
        depth -= 1
        if !isEmpty { breakLine() }
        bytes.append(closing)
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
}
