import Primitives

/// A text with values in braces: `Hello {user.name}`. A brace itself is written twice.
struct ClaimTemplate: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case text(String)
        case value(ClaimPath)
    }

    private let pieces: [Piece]

    init(parsing text: String, at place: JSONPath) throws(ClaimRuleError) {
        guard text.utf8.count <= ClaimRules.maximumTextByteCount else {
            throw .init(.textTooLong(limit: ClaimRules.maximumTextByteCount), at: place)
        }
        var pieces: [Piece] = []
        var plain: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else {
                plain.append(byte)
                continue
            }
            if rest.first == byte {
                rest.removeFirst()
                plain.append(byte)
                continue
            }
            guard byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                throw .init(.strayBrace, at: place)
            }
            if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
            plain = []
            pieces.append(.value(try ClaimPath(parsing: String(Substring(rest[..<end])), at: place)))
            guard pieces.count <= Self.maximumPieceCount else {
                throw .init(.tooMany(limit: Self.maximumPieceCount), at: place)
            }
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
        self.pieces = pieces
    }

    /// Values in braces and the texts between them.
    private static let maximumPieceCount = 32

    /// The text, or nil where a value is missing or is no text, number or truth value.
    func text(in context: ClaimContext) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let plain): text += plain
            case .value(let path):
                guard let value = path.value(in: context)?.plainText else { return nil }
                text += value
            }
        }
        return text
    }
}

extension JSON {
    /// A text as it is, a number as it was written, `true` or `false`.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
