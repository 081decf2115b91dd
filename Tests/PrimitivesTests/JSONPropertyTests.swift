import Foundation
import Primitives
import Testing

@Suite struct JSONPropertyTests {
    @Test(arguments: 1...40)
    func readsBackWhatItWrote(_ seed: UInt64) throws {
        var trees = RandomJSON(seed: seed)
        for _ in 0..<25 {
            let tree = trees.value()
            #expect(try JSON(parsing: tree.serialised().span) == tree)
            #expect(try JSON(parsing: tree.serialised(pretty: true).span) == tree)
            #expect(try JSON(parsing: tree.text()).serialised() == tree.serialised())
            #expect(try JSON(parsing: tree.text()).hashValue == tree.hashValue)
        }
    }

    @Test(arguments: 1...10)
    func refusesEveryTruncationOfAnObject(_ seed: UInt64) {
        var trees = RandomJSON(seed: seed)
        for pretty in [false, true] {
            let bytes = JSON.object(trees.object()).serialised(pretty: pretty)
            let lastBrace = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for end in 0...lastBrace {
                #expect(throws: JSONError.self) { try JSON(parsing: bytes.span.extracting(0..<end)) }
            }
        }
    }

    @Test(arguments: 1...20)
    func agreesWithFoundation(_ seed: UInt64) throws {
        var trees = RandomJSON(seed: seed)
        for _ in 0..<20 {
            let bytes = trees.value().serialised()
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            #expect(FoundationJSON.agrees(try JSON(parsing: bytes.span), theirs))
        }
    }

    /// One changed byte: either it is still JSON and reads back, or it is refused at a place within the text.
    @Test(arguments: 1...10)
    func standsAnyChangedByte(_ seed: UInt64) throws {
        var trees = RandomJSON(seed: seed)
        let random = SeededRandom(seed: seed)
        var bytes = JSON.object(trees.object()).serialised()
        for position in bytes.indices {
            let original = bytes[position]
            bytes[position] = random.bytes(1)[0]
            switch Result(catching: { () throws(JSONError) in try JSON(parsing: bytes.span) }) {
            case .success(let value): #expect(try JSON(parsing: value.serialised().span) == value)
            case .failure(let error): #expect(error.offset <= bytes.count && error.line >= 1 && error.column >= 1)
            }
            bytes[position] = original
        }
    }
}
