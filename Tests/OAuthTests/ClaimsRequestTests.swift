import OAuth
import Primitives
import Testing

@Suite struct ClaimsRequestTests {
    /// The example of OpenID Connect Core section 5.5.
    @Test func readsTheExampleOfTheStandard() throws {
        let request = try ClaimsRequest(
            parsing: """
                {"userinfo": {"given_name": {"essential": true}, "nickname": null, "email": {"essential": true},
                "email_verified": {"essential": true}, "picture": null, "http://example.info/claims/groups": null},
                "id_token": {"auth_time": {"essential": true}, "acr": {"values": ["urn:mace:incommon:iap:silver"]}}}
                """)
        #expect(
            request.userinfo.claims.map(\.name) == [
                "given_name", "nickname", "email", "email_verified", "picture", "http://example.info/claims/groups",
            ])
        #expect(request.userinfo["email"]?.isEssential == true)
        #expect(request.userinfo["nickname"]?.isEssential == false)
        #expect(request.userinfo["phone_number"] == nil)
        #expect(request.idToken["acr"]?.permits("urn:mace:incommon:iap:silver") == true)
        #expect(request.idToken["acr"]?.permits("urn:mace:incommon:iap:bronze") == false)
        #expect(request.idToken["auth_time"]?.permits(17) == true)
    }

    @Test func oneValueIsTheOnlyOnePermitted() throws {
        let request = try ClaimsRequest(parsing: #"{"id_token":{"sub":{"value":"alice"}}}"#)
        #expect(request.idToken["sub"]?.values == ["alice"])
        #expect(request.idToken["sub"]?.permits("Alice") == false)
        #expect(request.userinfo.isEmpty)
    }

    /// Section 5.5: members that are not understood MUST be ignored.
    @Test(arguments: [
        "{}", #"{"verified_claims":17}"#, #"{"userinfo":{},"id_token":{}}"#,
    ])
    func nothingAskedIsNothingWanted(text: String) throws {
        #expect(try ClaimsRequest(parsing: text) == .empty)
    }

    @Test func ignoresMembersThatNobodyKnows() throws {
        let request = try ClaimsRequest(parsing: #"{"userinfo":{"name":{"purpose":"greeting","essential":false}}}"#)
        #expect(request.userinfo["name"]?.isEssential == false)
    }

    @Test(arguments: [
        "", "null", "[]", "17", "\"userinfo\"", "{", "{}{}", #"{"userinfo":null}"#, #"{"userinfo":[]}"#,
        #"{"id_token":"sub"}"#, #"{"userinfo":{"name":true}}"#, #"{"userinfo":{"name":"x"}}"#,
        #"{"userinfo":{"name":[]}}"#, #"{"userinfo":{"name":{"essential":"true"}}}"#,
        #"{"userinfo":{"name":{"essential":1}}}"#, #"{"userinfo":{"name":{"values":"x"}}}"#,
        #"{"userinfo":{"name":{"values":null}}}"#, #"{"userinfo":{"name":{"value":1,"values":[1]}}}"#,
        #"{"userinfo":{"name":null,"name":null}}"#, #"{"userinfo":{},"userinfo":{}}"#,
        #"{"id_token":{"a":{"value":[[[[[[[[1]]]]]]]]}}}"#,
    ])
    func refusesWhatIsNoClaimsRequest(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try ClaimsRequest(parsing: text) }
    }

    @Test func hasItsLimits() throws {
        func text(_ claims: Int, _ values: Int) -> String {
            let list = (0..<values).map { String($0) }.joined(separator: ",")
            return #"{"userinfo":{"#
                + (0..<claims).map { "\"c\($0)\":{\"values\":[\($0 == 0 ? list : "")]}" }.joined(separator: ",") + "}}"
        }
        #expect(try ClaimsRequest(parsing: text(64, 32)).userinfo.claims.count == 64)
        #expect(throws: OAuthError(.invalidRequest, "")) { try ClaimsRequest(parsing: text(65, 1)) }
        #expect(throws: OAuthError(.invalidRequest, "")) { try ClaimsRequest(parsing: text(1, 33)) }
        #expect(throws: OAuthError(.invalidRequest, "")) {
            try ClaimsRequest(parsing: "{\"x\":\"" + String(repeating: "a", count: 9000) + "\"}")
        }
        // As JSON from a request object the reader's limits were others; its own still hold.
        let many = JSONObject((0..<65).map { "c\($0)" })
        #expect(throws: OAuthError(.invalidRequest, "")) { try ClaimsRequest(["userinfo": .object(many)]) }
    }
}

extension JSONObject {
    fileprivate init(_ names: [String]) {
        self.init()
        for name in names { self[name] = .null }
    }
}
