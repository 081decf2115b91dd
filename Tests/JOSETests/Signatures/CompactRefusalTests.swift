import JOSE
import Primitives
import Testing

@Suite struct CompactRefusalTests {
    private let key = TestKeys.key(.hs256)
    private let header = Base64URL.encode([UInt8](#"{"alg":"HS256"}"#.utf8))

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "a.b.c.d.e", "....", "...", ".", "a.b.c."])
    func refusesTheWrongNumberOfSegments(_ text: String) {
        #expect(throws: JWSError.wrongNumberOfSegments) { try UnverifiedJWS(compact: text) }
    }

    @Test func refusesAnEmptyHeader() {
        #expect(throws: JWSError.empty(.header)) { try UnverifiedJWS(compact: ".e30.AA") }
        #expect(throws: JWSError.empty(.header)) { try UnverifiedJWS(compact: "..") }
    }

    @Test func refusesAnEmptyPayload() {
        #expect(throws: JWSError.empty(.payload)) { try UnverifiedJWS(compact: "\(header)..AA") }
    }

    @Test func refusesAnEmptySignature() {
        #expect(throws: JWSError.empty(.signature)) { try UnverifiedJWS(compact: "\(header).e30.") }
    }

    /// RFC 7515 section 2: no padding, no line breaks, no white space; RFC 4648 section 3.5: no stray bits.
    @Test(
        arguments: ["=", "==", "+/", "/w", "+w", " ", "\n", "\r\n", "\t", "A", "\0", "é", "%3D", "~"],
        [JWSError.Part.header, .payload, .signature])
    func refusesForeignCharactersInBase64URL(_ addition: String, part: JWSError.Part) throws {
        var segments = try Forgery.signed("\(header).e30", key: key).split(separator: ".").map(String.init)
        let position = [.header: 0, .payload: 1, .signature: 2][part]!
        if addition == "A", position != 1, segments[position].utf8.count % 4 != 0 {
            segments[position] += String(repeating: "A", count: 5 - segments[position].utf8.count % 4)
        } else if addition == "A" {
            segments[position] = "e30AA"
        } else {
            segments[position] += addition
        }
        #expect(throws: JWSError.notBase64URL(part)) { try UnverifiedJWS(compact: segments.joined(separator: ".")) }
    }

    /// `e30` and `e31` decode to the same bytes for a reader that ignores the bits left over.
    @Test func refusesStrayBits() throws {
        let token = try Forgery.signed("\(header).e31", key: key)
        #expect(throws: JWSError.notBase64URL(.payload)) { try UnverifiedJWS(compact: token) }
        let good = try Forgery.signed("\(header).e30", key: key)
        // 32 bytes leave two bits of the last character unused.
        let last = try #require(good.utf8.last)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let next = alphabet[try #require(alphabet.firstIndex(of: last)) + 1]
        let bent = good.dropLast() + String(decoding: [next], as: UTF8.self)
        #expect(throws: JWSError.notBase64URL(.signature)) { try UnverifiedJWS(compact: String(bent)) }
    }

    @Test func refusesAnObjectThatIsTooLarge() throws {
        let limits = JWSLimits(objectBytes: 200, headerBytes: 100, signatures: 1)
        func token(payloadBytes: Int) throws -> String {
            try Forgery.compact(
                header: [UInt8](#"{"alg":"HS256"}"#.utf8), payload: [UInt8](repeating: 1, count: payloadBytes), key: key
            )
        }
        let largest = try token(payloadBytes: 101)
        #expect(largest.utf8.count == 200)
        _ = try UnverifiedJWS(compact: largest, limits: limits)
        let larger = try token(payloadBytes: 102)
        #expect(throws: JWSError.tooLarge(limitInBytes: 200)) { try UnverifiedJWS(compact: larger, limits: limits) }
        let json = #"{"payload":"","protected":"","signature":"","padding":"\#(String(repeating: " ", count: 200))"}"#
        #expect(throws: JWSError.tooLarge(limitInBytes: 200)) { try UnverifiedJWS(json: json, limits: limits) }
    }

    @Test(arguments: [0, 1, 2], SignatureAlgorithm.allCases)
    func refusesAChangeInAnySegment(_ segment: Int, algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm)
        let token = try JWSSigner(key: key).compact([UInt8]("a payload that is long enough to be changed".utf8))
        _ = try UnverifiedJWS(compact: token).verified(by: key.verificationKey)
        let tampered = Forgery.tampered(token, segment: segment)
        #expect(throws: JWSError.self) { try UnverifiedJWS(compact: tampered).verified(by: key.verificationKey) }
    }

    @Test func refusesASegmentMovedAcrossTheFullStop() throws {
        let token = try Forgery.signed("\(header).e30", key: key)
        let parts = token.split(separator: ".").map(String.init)
        let moved = parts[0] + parts[1].prefix(1) + "." + parts[1].dropFirst() + "." + parts[2]
        #expect(throws: JWSError.self) { try UnverifiedJWS(compact: moved).verified(by: key.verificationKey) }
    }
}
