import Primitives

/// Where a command finds the token that it is about.
enum TokenOperand {
    static let operand = Operand(
        "TOKEN",
        "A file that has the token, - for standard input, or the token itself, which other users of this machine can "
            + "then see in the list of processes.", completion: .file)

    /// Bytes of a file that may be a token: far more than any has.
    private static let greatestFileBytes = 1 << 20

    /// The token without white space around it.
    static func read(_ operand: String) throws(CommandFailure) -> String {
        let pasted = withoutScheme(operand)
        if isToken(pasted) { return pasted }
        guard !Quotation.mayHoldToken(operand) else {
            throw .badInput(
                "this is no token, although it looks like one: it has not three parts, or characters that no token has")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileSystem.read(operand, limit: greatestFileBytes)
        } catch {
            throw error.failure
        }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let trimmed = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard let token = String(validating: Array(trimmed), as: UTF8.self), !token.isEmpty else {
            throw .badInput("there is no token in \(operand == "-" ? "standard input" : operand)")
        }
        return token
    }

    /// As it stands in an `Authorization` header, and with the white space that comes with copying.
    private static func withoutScheme(_ text: String) -> String {
        var words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        if words.count == 2, words[0].lowercased() == "bearer" { words.removeFirst() }
        return words.count == 1 ? String(words[0]) : text
    }

    /// Three parts in Base64URL, the first of which begins like a JSON object: no name of a file looks like that.
    private static func isToken(_ text: String) -> Bool {
        text.hasPrefix("ey") && text.utf8.count { $0 == UInt8(ascii: ".") } == 2
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
