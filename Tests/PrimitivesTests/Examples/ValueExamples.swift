import Primitives
import Testing

/// The examples of the documentation: secrets and JSON.
@Suite struct ValueExamples {
    private enum KeyringError: Error { case locked }

    private final class Keyring {
        var saved: [UInt8] = []

        func save(_ bytes: UnsafeRawBufferPointer) throws(KeyringError) {
            guard !bytes.isEmpty else { throw .locked }
            saved = Array(bytes)
        }
    }

    @Test func secrets() throws {
        let keyring = Keyring()
        let secret = Secret(utf8: "correct horse")
        print(secret)
        let isSame = secret == Secret(utf8: "wrong horses!")
        let key = Secret(randomByteCount: 32, from: SystemRandom())
        try key.withBytes { bytes throws(KeyringError) in try keyring.save(bytes) }
        #expect("\(secret)" == "<redacted>" && !isSame && key.count == 32 && Secret(keyring.saved) == key)
    }

    @Test func json() throws {
        let claims = try JSON(parsing: #"{"sub":"alice","exp":1700000000}"#)
        let subject = claims["sub"]?.string
        let answer: JSON = ["active": true, "scope": "openid"]
        let text = answer.text()
        #expect(subject == "alice" && text == #"{"active":true,"scope":"openid"}"#)
    }

    @Test func numbers() throws {
        let price = try JSON(parsing: "1.10").number
        let text = price?.literal
        let value = price?.double
        #expect(text == "1.10" && value == 1.1)
    }

    @Test func objects() {
        var claims: JSONObject = ["sub": "alice"]
        claims["email"] = "alice@example.com"
        for (name, value) in claims { print(name, value.string ?? "") }
        #expect(claims.names == ["sub", "email"])
    }

    @Test func refusals() {
        var printed = ""
        func print(_ error: JSONError) { printed = "\(error)" }
        do throws(JSONError) { _ = try JSON(parsing: "[1,]") } catch {
            print(error)
        }
        #expect(printed == "byte that cannot stand here at line 1, column 4 (byte 3)")
    }
}
