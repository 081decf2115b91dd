import Primitives

/// Random JSON trees, the same for the same seed.
struct RandomJSON {
    private let random: SeededRandom
    private static let alphabet: [Character] = [
        "a", "b", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "ż", "€", "\u{FFFF}",
        "🐾",
        "\u{10FFFF}", "\u{2028}",
    ]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    private func below(_ bound: Int) -> Int {
        Int(random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) % bound
    }

    mutating func value(depth: Int = 5) -> JSON {
        switch below(depth > 0 ? 8 : 6) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .number(JSONNumber(Int64(below(1_000_000)) - 500_000))
        case 3:
            return .number(JSONNumber(Double(below(1_000_000)) / 997 * (below(2) == 0 ? 1 : -1e10)) ?? JSONNumber(0))
        case 4, 5: return .string(text())
        case 6: return .array((0..<below(6)).map { _ in value(depth: depth - 1) })
        default: return .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int = 5) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<below(depth > 3 ? 20 : 6) { object[text()] = value(depth: depth - 1) }
        return object
    }

    private func text() -> String {
        String((0..<below(24)).map { _ in Self.alphabet[below(Self.alphabet.count)] })
    }
}
