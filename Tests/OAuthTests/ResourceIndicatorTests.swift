import OAuth
import Testing

@Suite struct ResourceIndicatorTests {
    @Test(arguments: [
        "https://api.example/", "https://api.example/app?tenant=a", "urn:example:api", "http://localhost:8080",
    ])
    func readsAnAbsoluteURI(text: String) throws {
        #expect(try ResourceIndicator(text).text == text)
    }

    /// RFC 8707 section 2: absolute, and no fragment.
    @Test(arguments: [
        "", "api", "/api", "//api.example", "https://api.example/#", "https://api.example/#x", "https://api.example/ x",
        "https://api.example/é", "https://api.example/%", "https://api.example/\u{0}", "urn:x#y",
        "https://api.example/" + String(repeating: "a", count: 2048),
    ])
    func refusesAnythingElse(text: String) {
        #expect(throws: OAuthError(.invalidTarget, "")) { try ResourceIndicator(text) }
    }

    @Test func comparesByteByByte() throws {
        #expect(try ResourceIndicator("https://api.example") != ResourceIndicator("https://api.example/"))
        #expect(try ResourceIndicator("https://API.example") != ResourceIndicator("https://api.example"))
    }

    @Test func takesSeveralEachOnce() throws {
        let pairs: [(name: String, value: String)] = [
            ("resource", "urn:a:b"), ("x", "1"), ("resource", "urn:a:c"), ("resource", "urn:a:b"),
        ]
        let form = FormParameters(pairs)
        #expect(try ResourceIndicator.all(of: form).map(\.text) == ["urn:a:b", "urn:a:c"])
        #expect(try ResourceIndicator.all(of: FormParameters()).isEmpty)
    }

    @Test func refusesOneBadAmongGoodOnesAndTooMany() throws {
        #expect(throws: OAuthError(.invalidTarget, "")) {
            try ResourceIndicator.all(of: FormParameters([("resource", "urn:a:b"), ("resource", "b")]))
        }
        func many(_ count: Int) -> FormParameters {
            FormParameters((0..<count).map { (name: "resource", value: "urn:a:\($0)") })
        }
        #expect(try ResourceIndicator.all(of: many(ResourceIndicator.maximumCount)).count == 16)
        #expect(throws: OAuthError(.invalidTarget, "")) {
            try ResourceIndicator.all(of: many(ResourceIndicator.maximumCount + 1))
        }
    }
}
