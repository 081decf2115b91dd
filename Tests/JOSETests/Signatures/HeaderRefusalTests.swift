import JOSE
import Primitives
import Testing

/// The rules for headers, each broken by an object whose signature is right for its bytes.
@Suite struct HeaderRefusalTests {
    private let key = TestKeys.key(.hs256)

    private func refusal(header: String) throws -> JWSError? {
        let token = try Forgery.compact(header: header, key: key)
        do throws(JWSError) {
            _ = try UnverifiedJWS(compact: token).verified(by: key.verificationKey)
            return nil
        } catch {
            return error
        }
    }

    @Test func acceptsAHeaderThatFollowsTheRules() throws {
        #expect(try refusal(header: #"{"alg":"HS256","typ":"JWT","kid":"key-HS256","x":1}"#) == nil)
    }

    /// RFC 8725 section 3.2; RFC 7515 section 4.1.1 makes names case sensitive, which readers have got wrong.
    @Test(arguments: ["none", "None", "NONE", "nOnE", "NonE"])
    func refusesNoneInAnySpelling(_ name: String) throws {
        #expect(try refusal(header: #"{"alg":"\#(name)"}"#) == .unsecured)
        let unsigned = Base64URL.encode([UInt8](#"{"alg":"\#(name)"}"#.utf8)) + ".e30."
        #expect(throws: JWSError.unsecured) { try UnverifiedJWS(compact: unsigned) }
    }

    @Test func refusesAHeaderWithoutAnAlgorithm() throws {
        #expect(try refusal(header: #"{"typ":"JWT"}"#) == .algorithmMissing)
    }

    @Test(arguments: ["256", "null", "true", #"["HS256"]"#, #"{"HS256":1}"#])
    func refusesAnAlgorithmThatIsNotAString(_ value: String) throws {
        #expect(try refusal(header: #"{"alg":\#(value)}"#) == .parameterOfWrongType("alg"))
    }

    @Test(arguments: ["HS1", "RS1", "hs256", "HS256 ", " HS256", "ES256K", "A128GCM", "dir", "", "HS256\\u0000"])
    func refusesAnAlgorithmThatIsNotInTheTable(_ name: String) throws {
        #expect(try refusal(header: #"{"alg":"\#(name)"}"#) == .algorithmNotSupported)
    }

    @Test(arguments: ["kid", "typ", "cty"], ["1", "null", "[]", "{}"])
    func refusesATextParameterOfAnotherType(_ name: String, value: String) throws {
        #expect(try refusal(header: #"{"alg":"HS256","\#(name)":\#(value)}"#) == .parameterOfWrongType(name))
    }

    @Test(arguments: ["[]", "[{}]", #""HS256""#, "null", "1", #"["alg","HS256"]"#])
    func refusesAHeaderThatIsNotAnObject(_ header: String) throws {
        #expect(try refusal(header: header) == .headerNotAnObject)
    }

    @Test func refusesAnEmptyHeader() throws {
        #expect(try refusal(header: "{}") == .headerMissing)
    }

    /// RFC 7515 section 4: Header Parameter names MUST be unique.
    @Test(arguments: [
        #"{"alg":"HS256","alg":"HS256"}"#,
        #"{"alg":"none","alg":"HS256"}"#,
        #"{"alg":"HS256","kid":"a","kid":"b"}"#,
        #"{"alg":"HS256","\u0061lg":"none"}"#,
        #"{"alg":"HS256","jwk":{"kty":"oct","kty":"RSA"}}"#,
    ])
    func refusesAMemberNamedTwice(_ header: String) throws {
        guard case .headerMalformed(let error) = try refusal(header: header) else {
            Issue.record("accepted")
            return
        }
        #expect(error.kind == .duplicateName)
    }

    @Test(arguments: [
        "", "{", #"{"alg":"HS256",}"#, #"{"alg":"HS256"} x"#, #"{'alg':'HS256'}"#, #"{"alg":"HS256"}{}"#,
        "\u{FEFF}{\"alg\":\"HS256\"}",
    ])
    func refusesAHeaderThatIsNotJSON(_ header: String) throws {
        let error = try refusal(header: header)
        if header.isEmpty {
            #expect(error == .empty(.header))
        } else {
            guard case .headerMalformed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func refusesAHeaderThatIsNotUTF8() throws {
        let header = [UInt8](#"{"alg":"HS256","x":""#.utf8) + [0xC3, 0x28] + [UInt8](#""}"#.utf8)
        let token = try Forgery.compact(header: header, payload: [1], key: key)
        #expect { try UnverifiedJWS(compact: token) } throws: { error in
            guard case .headerMalformed(let cause)? = error as? JWSError else { return false }
            return cause.kind == .malformedUTF8
        }
    }

    /// RFC 7515 section 4.1.11.
    @Test func refusesACriticalExtensionThatIsNotUnderstood() throws {
        let header = #"{"alg":"HS256","crit":["exp"],"exp":1}"#
        #expect(try refusal(header: header) == .criticalNotUnderstood)
    }

    @Test func refusesACriticalExtensionBesideOneThatIsUnderstood() throws {
        let header = #"{"alg":"HS256","b64":true,"crit":["b64","exp"],"exp":1}"#
        #expect(try refusal(header: header) == .criticalNotUnderstood)
    }

    @Test func refusesAnEmptyCriticalList() throws {
        #expect(try refusal(header: #"{"alg":"HS256","crit":[]}"#) == .criticalEmpty)
    }

    @Test func refusesACriticalNameTwice() throws {
        #expect(try refusal(header: #"{"alg":"HS256","b64":true,"crit":["b64","b64"]}"#) == .criticalRepeated)
    }

    @Test(arguments: ["alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit"])
    func refusesARegisteredNameAsCritical(_ name: String) throws {
        let header = #"{"alg":"HS256","crit":["\#(name)"]}"#
        #expect(try refusal(header: header) == .criticalNamesRegistered)
    }

    @Test func refusesACriticalNameThatTheHeaderDoesNotHave() throws {
        #expect(try refusal(header: #"{"alg":"HS256","crit":["b64"]}"#) == .criticalNamesAbsent)
        #expect(try refusal(header: #"{"alg":"HS256","crit":["exp"]}"#) == .criticalNamesAbsent)
    }

    @Test(arguments: [#""b64""#, "null", "1", "true", #"{"b64":true}"#, #"["b64",1]"#, "[null]"])
    func refusesACriticalListThatIsNotAListOfNames(_ value: String) throws {
        #expect(try refusal(header: #"{"alg":"HS256","b64":true,"crit":\#(value)}"#) == .criticalMalformed)
    }

    /// RFC 7797 section 6.
    @Test func refusesAnUnencodedPayloadThatIsNotCritical() throws {
        #expect(try refusal(header: #"{"alg":"HS256","b64":false}"#) == .b64NotCritical)
    }

    @Test(arguments: [#""false""#, "0", "null"])
    func refusesAnEncodingFlagThatIsNotABoolean(_ value: String) throws {
        let header = #"{"alg":"HS256","b64":\#(value),"crit":["b64"]}"#
        #expect(try refusal(header: header) == .parameterOfWrongType("b64"))
    }

    @Test func refusesAHeaderThatIsTooLarge() throws {
        let padding = String(repeating: "x", count: JWSLimits.standard.headerBytes)
        let error = try refusal(header: #"{"alg":"HS256","x":"\#(padding)"}"#)
        #expect(error == .headerTooLarge(limitInBytes: JWSLimits.standard.headerBytes))
    }

    @Test func refusesAHeaderNestedTooDeep() throws {
        let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        guard case .headerMalformed(let error) = try refusal(header: #"{"alg":"HS256","x":\#(nested)}"#) else {
            Issue.record("accepted")
            return
        }
        #expect(error.kind == .tooDeep)
    }
}
