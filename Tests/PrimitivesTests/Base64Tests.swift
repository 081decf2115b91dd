import Foundation
import Primitives
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func knowsTheVectorsOfTheStandard(_ plain: String, _ encoded: String) throws {
        let bytes = Array(plain.utf8)
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.encode(bytes) == encoded)
        #expect(Base64URL.encode(bytes) == unpadded)
        #expect(Base64.encode(bytes.span) == encoded)
        #expect(Base64URL.encode(bytes.span) == unpadded)
        #expect(try Base64.decode(encoded) == bytes)
        #expect(try Base64URL.decode(unpadded) == bytes)
        #expect(try Base64.decode(Array(encoded.utf8).span) == bytes)
        #expect(try Base64URL.decode(Array(unpadded.utf8).span) == bytes)
    }

    /// RFC 7515 appendix A.1.1.
    @Test func encodesAJOSEHeaderAsTheStandardDoes() {
        let header = "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}"
        #expect(Base64URL.encode(Array(header.utf8)) == "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9")
    }

    @Test func usesTheRightTwoSigns() throws {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
        #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == "+/+/")
        #expect(try Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
        #expect(try Base64.decode("+/+/") == [0xFB, 0xFF, 0xBF])
    }

    @Test func returnsWhatWasPutInForEveryLength() throws {
        let random = SeededRandom(seed: 1)
        for length in 0..<200 {
            let bytes = random.bytes(length)
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            var output = Array("head.".utf8)
            Base64URL.append(bytes.span, to: &output)
            #expect(output == Array(("head." + Base64URL.encode(bytes)).utf8))
            output = []
            Base64.append(bytes.span, to: &output)
            #expect(output == Array(Base64.encode(bytes).utf8))
        }
    }

    @Test func refusesEveryForeignByteAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            for position in 0..<8 {
                var text = Array("QUJDREVG".utf8)
                text[position] = byte
                if byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
                    #expect(throws: Base64Error.foreignByte(offset: position)) { try Base64URL.decode(text.span) }
                }
                if byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "=") {
                    #expect(throws: Base64Error.foreignByte(offset: position)) { try Base64.decode(text.span) }
                }
            }
        }
    }

    @Test(arguments: ["A", "AAAAA", "AAAAAAAAA"])
    func refusesALengthThatNothingEncodesTo(_ text: String) {
        #expect(throws: Base64Error.impossibleLength) { try Base64URL.decode(text) }
    }

    @Test(arguments: ["Zg==", "Zm8=", "Zm9v=", "=", "====", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\r\n", "Zm8\u{0}"])
    func refusesPaddingAndWhiteSpaceInBase64URL(_ text: String) {
        #expect(throws: Base64Error.self) { try Base64URL.decode(text) }
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9v=", "Zm9v====", "=", "==", "===", "====", "Z===", "Zg==Zg==", "Zg=g",
        "=Zg=", "Zm9v\n", "Zm 9", "Zm9vZ===",
    ])
    func refusesWrongPaddingInBase64(_ text: String) {
        #expect(throws: Base64Error.self) { try Base64.decode(text) }
        #expect(throws: Base64Error.self) { try secret(text) }
    }

    private func secret(_ text: String) throws -> Secret {
        try Array(text.utf8).withUnsafeBytes { try Base64.decodeSecret($0) }
    }

    @Test func aSecretIsDecodedAsEverythingElse() throws {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
            #expect(try secret(Base64.encode(bytes)) == Secret(bytes))
        }
        #expect(throws: Base64Error.foreignByte(offset: 2)) { try secret("AA-A") }
        #expect(throws: Base64Error.strayBits) { try secret("AB==") }
        #expect(throws: Base64Error.impossibleLength) { try secret("AAAAA") }
    }

    @Test func refusesStrayBitsSoThatEachTextIsTheOnlyOne() throws {
        let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for (value, sign) in signs.enumerated() {
            for (prefix, mask, padding) in [("A", 15, "=="), ("AA", 3, "=")] {
                let text = prefix + String(decoding: [sign], as: UTF8.self)
                let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
                if value & mask == 0 {
                    #expect(Base64URL.encode(try Base64URL.decode(text)) == text)
                    #expect(Base64.encode(try Base64.decode(standard)) == standard)
                } else {
                    #expect(throws: Base64Error.strayBits) { try Base64URL.decode(text) }
                    #expect(throws: Base64Error.strayBits) { try Base64.decode(standard) }
                }
            }
        }
    }

    @Test func errorsQuoteNothing() {
        let error = #expect(throws: Base64Error.self) { try Base64URL.decode("hunter2!") }
        #expect(error?.description == "byte outside the Base64 alphabet at offset 7")
    }
}
