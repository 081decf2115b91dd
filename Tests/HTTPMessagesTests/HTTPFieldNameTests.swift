import HTTPMessages
import Testing

@Suite("Field names")
struct HTTPFieldNameTests {
    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    /// RFC 9110 section 5.6.2, byte by byte.
    @Test(arguments: UInt8.min...UInt8.max)
    func consistOfTokenCharacters(byte: UInt8) {
        let tokens = Array("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        #expect(byte.isTokenByte == tokens.contains(byte))
        guard byte < 0x80 else { return }
        let text = String(UnicodeScalar(byte))
        #expect((HTTPField.Name("X" + text + "Y") != nil) == tokens.contains(byte))
        #expect((HTTPRequest.Method("X" + text + "Y") != nil) == tokens.contains(byte))
    }

    @Test(arguments: ["", " ", "Host ", " Host", "Host:", "X\r\nY", "X\0", "é", "Ho\u{17F}t", "K\u{212A}"])
    func areTokens(text: String) {
        #expect(HTTPField.Name(text) == nil)
        #expect(HTTPRequest.Method(text) == nil)
    }

    /// RFC 9110 section 5.1.
    @Test(arguments: WellKnownName.allCases)
    func areTheSameInWhicheverCase(known: WellKnownName) throws {
        let small = known.canonicalName.description
        let capitals = small.uppercased()
        let mixed = String(
            small.enumerated().map { $0.offset % 2 == 0 ? Character($0.element.uppercased()) : $0.element })
        for text in [small, capitals, mixed] {
            let name = try name(text)
            #expect(name.wellKnown == known)
            #expect(name.rawName == text)
            #expect(name.canonicalName == small)
            #expect(try name == self.name(small))
            #expect(try name.hashValue == self.name(small).hashValue)
            #expect(Array(text.utf8).withUnsafeBufferPointer { HTTPField.Name(validated: $0) } == name)
        }
    }

    /// One byte more, less or other is another name.
    @Test(arguments: WellKnownName.allCases)
    func areOthersWhenAByteDiffers(known: WellKnownName) throws {
        let bytes = Array(known.canonicalName.description.utf8)
        var others = [bytes + [0x78], Array(bytes.dropLast()), [0x78] + bytes, Array(bytes.dropFirst())]
        for index in bytes.indices {
            for byte in [UInt8(ascii: "_"), UInt8(ascii: "0"), bytes[index] ^ 1] {
                var other = bytes
                other[index] = byte
                others.append(other)
            }
        }
        for other in others where other != bytes {
            guard let name = HTTPField.Name(String(decoding: other, as: UTF8.self)) else { continue }
            #expect(name.wellKnown != known, "\(name)")
            #expect(try name != self.name(known.canonicalName.description))
        }
    }

    @Test
    func constantsAreTheNamesTheySpell() throws {
        let constants: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .allow, .authorization, .cacheControl, .connection,
            .contentEncoding, .contentLength, .contentSecurityPolicy, .contentType, .contentTypeOptions, .cookie, .date,
            .dpop, .dpopNonce, .eTag, .expect, .forwarded, .host, .keepAlive, .location, .origin, .pragma, .referer,
            .referrerPolicy, .retryAfter, .secFetchDest, .secFetchMode, .secFetchSite, .server, .setCookie, .te,
            .trailer,
            .transferEncoding, .upgrade, .userAgent, .vary, .wwwAuthenticate, .xForwardedFor, .xForwardedHost,
            .xForwardedProto, .xRequestID,
        ]
        #expect(constants.count == WellKnownName.allCases.count)
        for (constant, known) in zip(constants, WellKnownName.allCases) {
            #expect(constant.wellKnown == known)
            #expect(constant.canonicalName == known.canonicalName.description)
            #expect(try constant == name(constant.rawName))
        }
        #expect(Set(constants).count == constants.count)
    }

    @Test
    func thatHaveNoConstantAreComparedByTheirLetters() throws {
        #expect(try name("X-Custom") == name("x-CUSTOM"))
        #expect(try name("X-Custom").hashValue == name("x-CUSTOM").hashValue)
        #expect(try name("X-Custom") != name("X_Custom"))
        #expect(try name("x^") != name("x~"))
        #expect(try name("Content_Length") != .contentLength)
        #expect(try name("X-Custom").canonicalName == "x-custom")
    }
}
