import Primitives
import SessionClient

/// A sealed file opens as what was sealed, or not at all, whatever has become of its bytes.
///
/// The input: how many changes there are, each of them in three bytes (two for where, one for what is turned there), one byte for how many
/// bytes are cut off, and what is sealed.
enum SealedFileProperties {
    private static let key = Secret([UInt8](0..<32))
    private static let place = SealedFile.Place(purpose: "fuzz", name: "file", version: 7)
    private static let nonce = [UInt8](repeating: 3, count: 12)
    private static let ancestor = [UInt8](repeating: 5, count: 12)

    static func check(_ input: Span<UInt8>) {
        let input = input.array()
        checkStranger(input)
        guard let count = input.first.map({ Int($0 % 8) }), input.count >= 2 + 3 * count else { return }
        let payload = Array(input[(2 + 3 * count)...])
        guard let sealed = try? seal(payload) else { fatalError("broken: whatever is given can be sealed") }
        require(open(sealed, at: place) == payload, "what was sealed opens")
        checkPlaces(sealed)
        var damaged = sealed
        for change in 0..<count {
            let place = 1 + 3 * change
            damaged[(Int(input[place]) << 8 | Int(input[place + 1])) % damaged.count] ^= input[place + 2]
        }
        damaged.removeLast(min(Int(input[1 + 3 * count]), damaged.count))
        guard damaged != sealed else { return }
        require(open(damaged, at: place) == nil, "what was changed does not open")
        require(open(sealed + [0], at: place) == nil, "nor what was made longer")
    }

    private static func seal(_ payload: [UInt8]) throws -> [UInt8] {
        try SealedFile.seal(payload, ancestor: ancestor, nonce: nonce, with: key, at: place)
    }

    /// `nil`: it is damaged, which is the only other thing that is said of it.
    private static func open(_ bytes: [UInt8], at place: SealedFile.Place) -> [UInt8]? {
        do throws(SessionStoreError) {
            return try SealedFile(parsing: bytes).open(with: key, at: place)
        } catch {
            guard case .corrupt = error else { fatalError("broken: what does not open is damaged, and not \(error)") }
            return nil
        }
    }

    private static func checkPlaces(_ sealed: [UInt8]) {
        let others = [
            SealedFile.Place(purpose: "fuzz", name: "file", version: 8),
            SealedFile.Place(purpose: "fuzz", name: "fil", version: 7),
            SealedFile.Place(purpose: "fuz", name: "file", version: 7),
        ]
        for other in others { require(open(sealed, at: other) == nil, "a file opens in its own place") }
    }

    /// What nobody has sealed who has the key.
    private static func checkStranger(_ input: [UInt8]) {
        require(open(input, at: place) == nil, "a stranger's file does not open")
    }
}
