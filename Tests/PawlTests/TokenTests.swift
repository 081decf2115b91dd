import Foundation
import Primitives
import TestSupport
import Testing

@Suite struct TokenTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try Data("correct horse battery staple 2026".utf8).write(to: URL(filePath: directory.path("secret")))
    }

    private var secret: [String] { ["--secret-file", directory.path("secret")] }

    private func file(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: URL(filePath: directory.path(name)))
        return directory.path(name)
    }

    private func sign(_ arguments: String..., input: String? = nil) async throws -> String {
        let result = try await Pawl.run(["token", "sign"] + secret + arguments, input: input)
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.trimmedOutput
    }

    private func claims(of token: String) async throws -> [String: Any] {
        let object = try await Pawl.run("token", "inspect", "-", "--json", input: token).object()
        return try #require(object["claims"] as? [String: Any])
    }

    // MARK: Signing

    @Test func signsTheClaimsItIsGiven() async throws {
        let token = try await sign(
            "--issuer", "https://id.example", "--subject", "alice", "--audience", "api", "--claim", "admin=true",
            "--claim", "name=Alice", "--claim", #"roles=["a","b"]"#, "--claim", "empty=", "--at",
            "2026-01-02T03:04:05Z",
            "--expires-in", "1h30m")
        let claims = try await claims(of: token)
        #expect(claims["iss"] as? String == "https://id.example")
        #expect(claims["sub"] as? String == "alice")
        #expect(claims["aud"] as? String == "api")
        #expect(claims["admin"] as? Bool == true)
        #expect(claims["name"] as? String == "Alice")
        #expect(claims["roles"] as? [String] == ["a", "b"])
        #expect(claims["empty"] as? String == "")
        #expect(claims["iat"] as? Int == 1_767_323_045)
        #expect(claims["exp"] as? Int == 1_767_323_045 + 5400)
    }

    @Test func takesClaimsFromStandardInputAndReplacesThemByOptions() async throws {
        let token = try await sign(
            "--claims", "-", "--claim", "sub=bob", "--audience", "a", "--audience", "b",
            input: #"{"sub":"alice","exp":4102444800,"iat":1}"#)
        let claims = try await claims(of: token)
        #expect(claims["sub"] as? String == "bob")
        #expect(claims["aud"] as? [String] == ["a", "b"])
        #expect(claims["exp"] as? Int == 4_102_444_800)
        #expect(claims["iat"] as? Int == 1)
    }

    @Test(arguments: [
        ("500ms", 0), ("90s", 90), ("15m", 900), ("1h30m", 5400), ("30d", 2_592_000), ("0", 0), ("-5m", -300),
    ])
    func readsDurations(text: String, seconds: Int) async throws {
        let claims = try await claims(of: try await sign("--at", "1000000", "--expires-in", text))
        #expect(claims["exp"] as? Int == 1_000_000 + seconds)
    }

    @Test(arguments: [
        "5", "m", "5m5", "1m1h", "1h1h", "5 m", "1.5h", "٣m", "+5m", "--5m", "99999999999999d", "",
    ])
    func refusesWhatIsNoDuration(text: String) async throws {
        let result = try await Pawl.run(["token", "sign"] + secret + ["--expires-in=\(text)"])
        #expect(result.exitCode == 2)
    }

    @Test(arguments: [
        ("1767323045", 1_767_323_045), ("2026-01-02T03:04:05Z", 1_767_323_045),
        ("2026-01-02T04:04:05+01:00", 1_767_323_045), ("2026-01-01 23:04:05.999-04:00", 1_767_323_045),
        ("1970-01-01T00:00:00Z", 0), ("2024-02-29T12:00:00z", 1_709_208_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func readsMoments(text: String, seconds: Int) async throws {
        let claims = try await claims(of: try await sign("--no-expiry", "--not-before", text))
        #expect(claims["nbf"] as? Int == seconds)
        #expect(claims["exp"] == nil)
    }

    @Test(arguments: [
        "2026-01-02", "2026-01-02T03:04:05", "2026-13-02T03:04:05Z", "2025-02-29T00:00:00Z", "2026-01-02T24:00:00Z",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+1:00", "1969-12-31T23:59:59Z", "-1", "1e9", "253402300800",
        "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-00:01",
    ])
    func refusesWhatIsNoMoment(text: String) async throws {
        let result = try await Pawl.run(["token", "sign"] + secret + ["--not-before=\(text)"])
        #expect(result.exitCode == 2)
    }

    @Test func refusesClaimsThatNobodyCouldRead() async throws {
        for claim in ["exp=soon", "aud=5", "iat=-1", "sub=5"] {
            let result = try await Pawl.run(["token", "sign"] + secret + ["--claim", claim])
            #expect(result.exitCode == 3, "\(claim)")
            #expect(result.output.isEmpty)
        }
        for text in ["", "[]", "{", #"{"a":1,"a":2}"#] {
            let result = try await Pawl.run(["token", "sign"] + secret + ["--claims", "-"], input: text)
            #expect(result.exitCode == 3, "\(text)")
        }
        let contradiction = try await Pawl.run(["token", "sign"] + secret + ["--no-expiry", "--expires-in", "5m"])
        #expect(contradiction.exitCode == 2)
    }

    @Test func refusesKeysThatDoNotFit() async throws {
        let short = try file("short", "too short")
        let refusals: [([String], Int32)] = [
            (["--secret-file", short], 3),
            (["--secret-file", directory.path("missing")], 3),
            (["--secret-file", try file("empty", "\n")], 3),
            (secret + ["--alg", "HS512"], 3),
            (secret + ["--alg", "RS256"], 3),
            (["--key", try file("noKey", "no key")], 3),
            (["--key", try file("set", #"{"keys":[]}"#)], 3),
            (["--keys", directory.path("nothing")], 3),
        ]
        for (arguments, code) in refusals {
            let result = try await Pawl.run(["token", "sign"] + arguments)
            #expect(result.exitCode == code, "\(arguments): \(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test func neverSignsWithAPublicKey() async throws {
        let key = directory.path("key.jwk")
        #expect(try await Pawl.run("keys", "new", "--alg", "ES256", "-o", key).exitCode == 0)
        let publicKey = try file(
            "public.jwk", try await Pawl.run("keys", "export", "--key", key, "--format", "jwk").output)
        let result = try await Pawl.run("token", "sign", "--key", publicKey)
        #expect(result.exitCode == 3)
        #expect(result.errors.contains("a private key is needed"))
    }

    // MARK: Verifying

    @Test(arguments: KeysTests.algorithms)
    func verifiesWhatItSigned(algorithm: String) async throws {
        let key = directory.path("key.jwk")
        #expect(try await Pawl.run("keys", "new", "--alg", algorithm, "-o", key).exitCode == 0)
        let token = try await Pawl.run("token", "sign", "--key", key, "--subject", "alice").trimmedOutput
        let verified = try await Pawl.run("token", "verify", "-", "--key", key, "--json", input: token)
        #expect(verified.exitCode == 0, "\(verified.errors)")
        let object = try verified.object()
        #expect(object["verified"] as? Bool == true)
        #expect(object["alg"] as? String == algorithm)
        #expect((object["claims"] as? [String: Any])?["sub"] as? String == "alice")
        // Another key of the same sort does not.
        let other = directory.path("other.jwk")
        #expect(try await Pawl.run("keys", "new", "--alg", algorithm, "-o", other).exitCode == 0)
        #expect(try await Pawl.run("token", "verify", "-", "--key", other, input: token).exitCode == 1)
    }

    @Test func aPublicPEMKeyOfRSAVerifiesWhateverRSADoes() async throws {
        let key = directory.path("key.pem")
        #expect(try await Pawl.run("keys", "new", "--alg", "RS256", "--format", "pem", "-o", key).exitCode == 0)
        let publicKey = try file(
            "public.pem", try await Pawl.run("keys", "export", "--key", key, "--format", "pem").output)
        for algorithm in ["RS256", "PS384"] {
            let token = try await Pawl.run("token", "sign", "--key", key, "--alg", algorithm).trimmedOutput
            #expect(try await Pawl.run("token", "verify", "-", "--key", publicKey, input: token).exitCode == 0)
            let narrowed = try await Pawl.run(
                "token", "verify", "-", "--key", publicKey, "--alg", "RS512", input: token)
            #expect(narrowed.exitCode == 1)
        }
        // The oldest trick: the public key as the secret of an HMAC.
        let secret = Base64URL.encode(Array(try Data(contentsOf: URL(filePath: publicKey))))
        let attackersKey = try file("attack.jwk", #"{"kty":"oct","k":"\#(secret)"}"#)
        let forged = try await Pawl.run("token", "sign", "--key", attackersKey, "--alg", "HS256").trimmedOutput
        #expect(!forged.isEmpty)
        let result = try await Pawl.run("token", "verify", "-", "--key", publicKey, input: forged)
        #expect(result.exitCode == 1)
        // Nor is it taken for a secret by mistake.
        let mistaken = try await Pawl.run("token", "verify", "-", "--secret-file", publicKey, input: forged)
        #expect(mistaken.exitCode == 3)
        #expect(mistaken.errors.contains("is a PEM file, and no secret"))
    }

    @Test func aSecretThatIsTooShortIsNamedAsTheReason() async throws {
        let secret = try file("short", String(repeating: "s", count: 31))
        let result = try await Pawl.run("token", "verify", "-", "--secret-file", secret, input: "a.b.c")
        #expect(result.exitCode == 3)
        #expect(result.errors.contains("32 bytes"), "\(result.errors)")
    }

    @Test func noErrorRepeatsWhatMayBeAToken() async throws {
        let secret = try file("secret", String(repeating: "s", count: 32))
        let token = try await Pawl.run("token", "sign", "--secret-file", secret).trimmedOutput
        for words in [
            ["token", "inspect", token, token], ["token", "inspect", "x \(token)"], ["token", "inspect", "--\(token)"],
            ["token", token], [token], ["token", "verify", token + "=", "--secret-file", secret],
            ["token", "verify", "--key", "-" + token],
        ] {
            let result = try await Pawl.run(words)
            #expect(result.exitCode != 0)
            #expect(!(result.output + result.errors).contains(token.prefix(20)), "\(result.errors)")
        }
        // As it is copied out of a header.
        #expect(try await Pawl.run("token", "inspect", " Bearer \(token)\n").exitCode == 0)
    }

    static let policies: [(signed: [String], asked: [String], says: String?)] = [
        ([], [], nil),
        (["--issuer", "a"], ["--issuer", "a"], nil),
        (["--issuer", "a"], ["--issuer", "b"], "the issuer is not the expected one"),
        ([], ["--issuer", "a"], "the claim iss is missing"),
        (["--audience", "a", "--audience", "b"], ["--audience", "c", "--audience", "b"], nil),
        (["--audience", "a"], ["--audience", "b"], "meant for another audience"),
        ([], ["--audience", "b"], "the claim aud is missing"),
        (["--typ", "at+jwt"], ["--typ", "at+jwt"], nil),
        (["--typ", "JWT"], ["--typ", "at+jwt"], "typ is not at+jwt"),
        (["--expires-in", "-1m"], [], "has expired"),
        (["--expires-in", "-1m"], ["--leeway", "2m"], nil),
        (["--expires-in", "-1m", "--claim", "iat=0"], ["--at", "2025-12-31T23:58:00Z"], nil),
        (["--expires-in", "5m", "--at", "1000000000"], ["--at", "1000000299"], nil),
        (["--expires-in", "5m", "--at", "1000000000"], ["--at", "1000000300"], "has expired"),
        (["--no-expiry"], [], "the claim exp is missing"),
        (["--no-expiry"], ["--require", "iat"], nil),
        ([], ["--require", "jti"], "the claim jti is missing"),
        (["--not-before", "9999-01-01T00:00:00Z"], [], "not valid yet"),
        (["--at", "1000000000", "--expires-in", "30d"], ["--at", "1000000600", "--max-age", "5m"], "too long ago"),
        ([], ["--alg", "HS256"], nil),
    ]

    @Test(arguments: policies.indices)
    func judgesByWhatItIsAskedFor(index: Int) async throws {
        let (signed, asked, says) = Self.policies[index]
        let token = try await Pawl.run(
            ["token", "sign"] + secret + (signed.contains("--at") ? [] : ["--at", "2025-12-31T23:59:59Z"]) + signed
        ).trimmedOutput
        // A moment between signing and expiry, unless another was asked for.
        let moment = asked.contains("--at") ? [] : ["--at", "2026-01-01T00:00:00Z"]
        let result = try await Pawl.run(["token", "verify", "-"] + secret + moment + asked, input: token)
        if let says {
            #expect(result.exitCode == 1, "\(signed) \(asked)")
            #expect(result.errors.contains("refused: "))
            #expect(result.errors.contains(says), "\(signed) \(asked): \(result.errors)")
            #expect(result.output.isEmpty)
        } else {
            #expect(result.exitCode == 0, "\(signed) \(asked): \(result.errors)")
        }
    }

    @Test func tellsProgramsWhyItRefuses() async throws {
        let token = try await sign("--expires-in", "-1m")
        let result = try await Pawl.run(["token", "verify", "-", "--json"] + secret, input: token)
        #expect(result.exitCode == 1)
        let object = try result.object()
        #expect(object["verified"] as? Bool == false)
        #expect(object["reason"] as? String == "the token has expired")
        #expect(object["claims"] == nil)
    }

    @Test func refusesATokenThatWasTamperedWith() async throws {
        let token = try await sign("--subject", "alice")
        let parts = token.split(separator: ".").map(String.init)
        let other = try await sign("--subject", "bob").split(separator: ".").map(String.init)
        let none = Data(#"{"alg":"none"}"#.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        let forgeries = [
            "\(parts[0]).\(other[1]).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(token)A", "\(token)=", "\(token).x",
            parts[1], "eyJ", "\u{0}",
        ]
        for forgery in forgeries {
            let result = try await Pawl.run(["token", "verify", "-"] + secret, input: forgery)
            #expect(result.exitCode == 1, "\(forgery): \(result.errors)")
            // What is said never repeats what came in.
            #expect(!result.errors.contains(parts[1].prefix(20)))
        }
    }

    @Test func findsTheTokenInAFileOrOnTheCommandLine() async throws {
        let token = try await sign()
        let path = try file("token", "\n  \(token)\r\n\n")
        for operand in [token, path] {
            #expect(try await Pawl.run(["token", "verify", operand] + secret).exitCode == 0)
        }
        for (operand, input) in [
            (directory.path("missing"), nil), ("-", ""), ("-", " \n"), (directory.url.path(), nil),
        ] {
            let result = try await Pawl.run(["token", "verify", operand] + secret, input: input)
            #expect(result.exitCode == 3, "\(operand)")
        }
    }

    // MARK: Inspecting

    @Test func saysThatNothingIsVerified() async throws {
        let token = try await sign("--subject", "alice", "--at", "2026-01-02T03:04:05Z", "--expires-in", "5m")
        let text = try await Pawl.run("token", "inspect", token)
        #expect(text.exitCode == 0)
        #expect(text.errors.contains("NOT VERIFIED"))
        #expect(text.output.contains("2026-01-02T03:09:05Z"))
        #expect(text.output.contains("\"alice\""))
        let json = try await Pawl.run("token", "inspect", token, "--json")
        let object = try json.object()
        #expect(object["verified"] as? Bool == false)
        #expect(object["expired"] as? Bool == true)
        #expect((object["times"] as? [String: String])?["exp"] == "2026-01-02T03:09:05Z")
        #expect((object["header"] as? [String: Any])?["alg"] as? String == "HS256")
    }

    @Test func looksIntoTokensThatNobodyAccepts() async throws {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        }
        let unsigned = part(#"{"alg":"none"}"#) + "." + part(#"{"sub":"x","exp":1e300,"iat":-5}"#) + "."
        let result = try await Pawl.run("token", "inspect", "-", input: unsigned)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("none"))
        for text in [
            "a.b", "a.b.c", part("{}") + "." + part("[]") + ".", part("{}") + "." + part("{\"a\":1,\"a\":2}") + ".",
            "....", "",
        ] {
            let result = try await Pawl.run("token", "inspect", "-", input: text)
            #expect(result.exitCode == 3, "\(text)")
            #expect(result.output.isEmpty)
        }
    }
}
