import Primitives

/// A way to cut bytes into the pieces in which a parser gets them.
enum Chunking: Hashable, CustomStringConvertible {
    case whole
    case byteByByte
    case pairs
    case random(seed: UInt64)

    static let all: [Chunking] = [.whole, .byteByByte, .pairs] + (1...5).map { .random(seed: $0) }

    var description: String {
        switch self {
        case .whole: "whole"
        case .byteByByte: "byte by byte"
        case .pairs: "in pairs"
        case .random(let seed): "cut at random, seed \(seed)"
        }
    }

    func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        switch self {
        case .whole: return [bytes[...]]
        case .byteByByte: return Self.cut(bytes) { 1 }
        case .pairs: return Self.cut(bytes) { 2 }
        case .random(let seed):
            let random = SeededRandom(seed: seed)
            let most = 1 + Int(random.bytes(1)[0] & 0x3F)
            return Self.cut(bytes) { 1 + Int(random.bytes(1)[0]) % most }
        }
    }

    private static func cut(_ bytes: [UInt8], size: () -> Int) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size())
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
