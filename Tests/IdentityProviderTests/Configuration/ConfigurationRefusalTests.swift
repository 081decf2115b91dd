import IdentityProvider
import Primitives
import Testing

@Suite struct ConfigurationRefusalTests {
    /// Members of a file, and what is said of them.
    static let slips: [(members: String, says: [String])] = [
        (#""issuers":"x""#, ["c:1:2: issuers: there is no such member; did you mean issuer?"]),
        (#""Issuer":"https://a""#, ["c:1:2: Issuer: there is no such member; did you mean issuer?"]),
        (#""quite_another_thing":1"#, ["c:1:2: quite_another_thing: there is no such member"]),
        (#""issuer":"ftp://a""#, ["c:1:11: issuer: an issuer is a URL that begins with https:// or http://"]),
        (#""issuer":"""#, ["c:1:11: issuer: must be a text that is not empty"]),
        (
            #""rotation":"strikt""#,
            ["c:1:13: rotation: there is no rotation profile of this name; did you mean strict?"]
        ),
        (#""rotation":1"#, ["rotation: must be a rotation policy such as \"okta\" or \"okta,window=5s\""]),
        (#""rotation":"okta,windw=5s""#, ["rotation: there is no rotation knob of this name; did you mean window?"]),
        (#""rotation":"okta,window=5""#, ["rotation: window takes: a duration such as 10s, unlimited"]),
        (#""rotation":"okta,count=1,count=2""#, ["rotation: count is given twice"]),
        (
            #""allow":["any_cleint"]"#,
            ["allow[0]: must be one of: any_client, any_user, auto_login; did you mean any_client?"]
        ),
        (#""legacy":["code"]"#, ["legacy[0]: must be one of: password, implicit, hybrid, plain_pkce"]),
        (#""access_tokens":{"lifetime":"0s"}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"lifetime":"1500ms"}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"lifetime":"5"}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"lifetime":0}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"lifetime":3155760001}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"lifetime":1.0}"#, ["access_tokens.lifetime: must be a duration"]),
        (#""access_tokens":{"alg":"none"}"#, ["access_tokens.alg: must be one of: HS256"]),
        (#""access_tokens":{"audience":[]}"#, ["access_tokens.audience: must not be empty"]),
        (#""access_tokens":{"audience":["a",""]}"#, ["access_tokens.audience[1]: must be a text"]),
        (#""cors_origins":["https://a/path"]"#, ["cors_origins[0]: must be an origin"]),
        (#""cors_origins":"*""#, ["cors_origins: must be one of: loopback, any"]),
        (#""cors_origins":["null"]"#, ["cors_origins[0]: must be an origin"]),
        (
            #""client_secrets":{"failures_allowed":0}"#,
            ["client_secrets.failures_allowed: must be a whole number from 1"]
        ),
        (#""sign_in":{"failures_allowed":0}"#, ["sign_in.failures_allowed: must be a whole number from 1"]),
        (#""registration":"my-secret-token""#, ["registration: must be one of: open, off"]),
        (#""registration":{"token":{"env":"UNSET"}}"#, ["registration.token.env: the variable UNSET is not set"]),
        (#""registration":{"token":{"env":"EMPTY"}}"#, ["registration.token.env: there is nothing in it"]),
        (#""registration":{}"#, ["registration: token is missing"]),
        (#""pairwise_salt":{"env":"A B"}"#, ["pairwise_salt.env: must be the name of a variable"]),
        (#""pairwise_salt":{"env":"A","file":"b"}"#, ["pairwise_salt.file: there is no such member"]),
        (#""control":{"secret":"too short"}"#, ["control.secret: must have at least 16 characters"]),
        (#""control":{"secret":"long enough, but no token"}"#, ["control.secret: must have at least 16 characters"]),
        (#""recorded_requests":-1"#, ["recorded_requests: must be a whole number from 0"]),
        (#""trusted_issuers":[{"issuer":"a","jwks":{"keys":[]}}]"#, ["trusted_issuers[0].jwks: must hold public keys"]),
        (#""trusted_issuers":[{"issuer":"a"}]"#, ["trusted_issuers[0]: jwks is missing"]),
        (#""users":[{}]"#, ["c:1:11: users[0]: username is missing"]),
        (#""users":[{"username":""}]"#, ["users[0].username: must be a text of 1 to 255 bytes"]),
        (#""users":[{"username":"a","id":"é"}]"#, ["users[0].id: must be 1 to 255 characters of printable ASCII"]),
        (
            #""users":[{"username":"a"},{"username":"a"}]"#,
            ["users[1].username: another user has this name"]
        ),
        (#""users":[{"username":"a"},{"username":"b","id":"a"}]"#, ["users[1].id: another user has this subject"]),
        (#""clients":[{}]"#, ["clients[0]: client_id is missing"]),
        (
            #""clients":[{"client_id":"a","redirect_uris":["https://a.example/"],"cookie_session":{"access_cookie":{"same_site":"None","secure":false}}}]"#,
            ["clients[0].cookie_session.access_cookie.secure: is false, and browsers refuse"]
        ),
        (
            #""clients":[{"client_id":"a","redirect_uris":["https://a.example/"],"cookie_session":{"origins":["https://b.example","*"]}}]"#,
            ["clients[0].cookie_session.origins[1]: must be an origin"]
        ),
        (#""clients":[{"client_id":"a"}]"#, ["clients[0].redirect_uris: is missing"]),
        (#""clients":[{"client_id":"é","grant_types":[]}]"#, ["clients[0].client_id: must be printable ASCII"]),
        (#""clients":[{"client_id":"a","grant_types":["password"]}]"#, ["clients[0].grant_types[0]: must be one of"]),
        (
            #""clients":[{"client_id":"a","grant_types":["client_credentials"]}]"#,
            ["clients[0].grant_types: a client that does not authenticate"]
        ),
        (
            #""clients":[{"client_id":"a","client_secret":{"file":"latin"},"grant_types":[]}]"#,
            ["clients[0].client_secret: is not UTF-8"]
        ),
        (
            #""clients":[{"client_id":"a","client_secret":"","grant_types":[]}]"#,
            ["clients[0].client_secret: must be a text"]
        ),
        (
            #""clients":[{"client_id":"a","grant_types":[],"id_token_encrypted_response_alg":"RSA-OAEP"}]"#,
            ["clients[0].id_token_encrypted_response_alg: is not supported"]
        ),
        (
            #""clients":[{"client_id":"a","grant_types":[],"client_name":null}]"#,
            ["clients[0].client_name: must be a text"]
        ),
        (
            #""clients":[{"client_id":"a","grant_types":[],"client_name#a b":"x"}]"#,
            [#"clients[0]["client_name#a b"]: there is no such member"#]
        ),
        (
            #""clients":[{"client_id":"a","grant_types":[]},{"client_id":"a","grant_types":[]}]"#,
            ["clients[1].client_id: another client has this identifier"]
        ),
        (
            #""clients":[{"client_id":"a","client_secret":"short","grant_types":[],"id_token_signed_response_alg":"HS256"}]"#,
            ["clients[0].id_token_signed_response_alg: HS256 needs a client_secret of at least 32 bytes"]
        ),
        (#""claims":[{"set":{"sub":"x"}}]"#, ["claims[0].set.sub: belongs to the protocol"]),
        (
            #""claims":[{"set":{"a":"{usr.name}"}},{"when":{"x":"y"},"set":{"a":1}}]"#,
            ["claims[0].set.a: a path begins with", "claims[1].when.x: a path begins with"]
        ),
        (
            #""claims":[{"in":["id_tokn"],"set":{"a":1}}]"#,
            ["claims[0].in[0]: must be one of: access_token, id_token, userinfo; did you mean id_token?"]
        ),
        (#""claims":[{}]"#, ["claims[0]: a rule needs set or remove"]),
        (#""tenants":{"a b":{}}"#, [#"tenants["a b"]: the name must be 1 to 64 letters"#]),
        (#""tenants":{"..":{}}"#, [#"tenants[".."]: the name must be"#]),
        (#""tenants":{"a":{"issuer":"https://a"}}"#, ["tenants.a.issuer: there is no such member"]),
        (#""tenants":{"a":{"tenants":{}}}"#, ["tenants.a.tenants: there is no such member"]),
        (#""tenants":{"a":{"clients":[{"client_id":"x"}]}}"#, ["tenants.a.clients[0].redirect_uris: is missing"]),
    ]

    @Test(arguments: slips.indices) func tellsWhatIsWrongAndWhere(index: Int) throws {
        let (members, says) = Self.slips[index]
        let lines = try ConfigurationUnderTest.errors("{\(members)}")
        #expect(lines.count == says.count, "\(members): \(lines)")
        for (line, part) in zip(lines, says) { #expect(line.contains(part), "\(members): \(line)") }
    }

    @Test func tellsEverythingAtOnceInTheOrderOfTheText() throws {
        let lines = try ConfigurationUnderTest.errors(
            """
            {
              "rotation": 1,
              "clients": [
                {"client_id": "a", "grnat_types": [],
                 "redirect_uris": ["https://a/#b", "https://ok/", "nonsense"],
                 "grant_types": ["code", "refresh_token", "password"]}
              ],
              "tenants": {"t": {"claims": [{"set": {"iss": "x"}}]}},
              "issuer": "nonsense"
            }
            """)
        #expect(
            lines.map { $0.split(separator: " ")[0...1].joined(separator: " ") } == [
                "c:2:15: rotation:", "c:4:24: clients[0].grnat_types:", "c:5:24: clients[0].redirect_uris[0]:",
                "c:5:55: clients[0].redirect_uris[2]:", "c:6:22: clients[0].grant_types[0]:",
                "c:6:47: clients[0].grant_types[2]:", "c:8:48: tenants.t.claims[0].set.iss:", "c:9:13: issuer:",
            ])
    }

    /// It may be a secret that stands in the wrong place.
    @Test func repeatsNothingThatStandsInTheFile() throws {
        let secret = "correct-horse-battery"
        let lines = try ConfigurationUnderTest.errors(
            """
            {"issuer":"\(secret)","rotation":"\(secret)","registration":"\(secret)","allow":["\(secret)"],
             "users":[{"username":"a","password":["\(secret)"]}],"access_tokens":{"lifetime":"\(secret)"},
             "clients":[{"client_id":"a","client_secret":{"value":"\(secret)"},"redirect_uris":["\(secret)"],
                         "grant_types":["\(secret)"],"jwks":{"keys":["\(secret)"]}}]}
            """)
        #expect(lines.count >= 9)
        #expect(!lines.joined().contains(secret))
    }

    @Test func keepsControlCharactersOutOfMessages() throws {
        let lines = try ConfigurationUnderTest.errors(#"{"a\u001b[31m\u009b":1}"#)
        #expect(lines.count == 1)
        #expect(!lines[0].unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    }
}
