import Crypto
import JOSE
import Primitives
import Testing

/// What was refused may be somebody's valid token or private key, and errors end up in logs.
@Suite struct ErrorEchoTests {
    private let key = TestKeys.key(.hs256)
    private let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    /// Texts that stand in the tokens and keys below, and nowhere in our own words.
    private static let marker = "Zanzibar"

    /// Tokens that are refused for every reason that a token can be refused for.
    private func refusedTokens() throws -> [String] {
        let marker = Self.marker
        let headers = [
            #"{"alg":"none","\#(marker)":1}"#,
            #"{"alg":"\#(marker)"}"#,
            #"{"alg":["\#(marker)"]}"#,
            #"{"alg":"HS256","kid":"\#(marker)"}"#,
            #"{"alg":"HS256","kid":["\#(marker)"]}"#,
            #"{"alg":"HS256","typ":"\#(marker)"}"#,
            #"{"alg":"HS256","\#(marker)":1,"\#(marker)":2}"#,
            #"{"alg":"HS256","crit":["\#(marker)"]}"#,
            #"{"alg":"HS256","crit":["\#(marker)"],"\#(marker)":1}"#,
            #"{"alg":"HS256","crit":["\#(marker)","\#(marker)"],"\#(marker)":1}"#,
            #"{"alg":"HS256","crit":"\#(marker)"}"#,
            #"{"alg":"HS256","b64":"\#(marker)","crit":["b64"]}"#,
            #"{"alg":"HS256","b64":false,"x":"\#(marker)"}"#,
            #"["\#(marker)"]"#,
            "\(marker)",
            #"{"typ":"\#(marker)"}"#,
            #"{"alg":"ES256","kid":"key-HS256","x":"\#(marker)"}"#,
        ]
        let payloads = [
            #"["\#(marker)"]"#, marker, #"{"\#(marker)":1,"\#(marker)":2}"#, #"{"iss":"\#(marker)","exp":9999999999}"#,
            #"{"iss":["\#(marker)"]}"#, #"{"exp":"\#(marker)"}"#, #"{"exp":1,"x":"\#(marker)"}"#,
            #"{"exp":9999999999,"iss":"a","aud":"\#(marker)"}"#, #"{"exp":-1,"x":"\#(marker)"}"#,
            #"{"exp":9999999999,"iss":"a","aud":["\#(marker)",1]}"#, #"{"x":"\#(marker)"}"#,
            #"{"exp":9999999999,"iss":"a","aud":"b","nbf":8888888888,"x":"\#(marker)"}"#,
            #"{"exp":9999999999,"iss":"a","aud":"b","iat":8888888888,"x":"\#(marker)"}"#,
        ]
        let typed = #"{"alg":"HS256","typ":"JWT"}"#
        var tokens = try headers.map { try Forgery.compact(header: $0, key: key) }
        tokens += try payloads.map { try Forgery.compact(header: typed, payload: $0, key: key) }
        let good = try Forgery.compact(header: typed, key: key)
        tokens += (0..<3).map { Forgery.tampered(good, segment: $0) }
        tokens += [good + "=", good + ".\(marker)", marker, "\(marker).\(marker).\(marker)", "..\(marker)", good + "A"]
        tokens.append(good + String(repeating: marker, count: 10_000))
        tokens.append(try JWTSigner(key: TestKeys.stranger(.hs256), type: "JWT").sign(["x": .string(marker)]))
        return tokens
    }

    @Test func noErrorEchoesAToken() throws {
        let policy = JWTPolicy(issuer: .exactly("a"), audience: .oneOf(["b"]), type: .exactly("JWT"))
        var descriptions: Set<String> = []
        for token in try refusedTokens() {
            do {
                _ = try policy.verify(token, keys: TestKeys.everything, at: now)
                Issue.record("accepted")
            } catch {
                for text in ["\(error)", String(reflecting: error)] {
                    expectNoEcho(of: token, in: text)
                }
                descriptions.insert("\(error)")
            }
        }
        // So that the list above does not shrink to tokens that all fail alike.
        #expect(descriptions.count >= 30)
    }

    @Test func noErrorEchoesAnObjectInJSON() throws {
        let marker = Self.marker
        let signer = try JWSSigner(key: TestKeys.stranger(.hs256))
        var objects = [JSON.object(try signer.flattened([UInt8](marker.utf8))).text()]
        for name in ["payload", "protected", "signature", "header", "signatures"] {
            var object = try signer.flattened([UInt8](marker.utf8))
            object[name] = .string(marker + "=")
            objects.append(JSON.object(object).text())
            object[name] = [.string(marker)]
            objects.append(JSON.object(object).text())
        }
        objects += ["[\"\(marker)\"]", "{\"\(marker)\"", "{\"\(marker)\":1,\"\(marker)\":2}"]
        for text in objects {
            do {
                _ = try UnverifiedJWS(json: text).verified(by: TestKeys.everything)
                Issue.record("accepted")
            } catch {
                expectNoEcho(of: text, in: "\(error)")
                expectNoEcho(of: text, in: String(reflecting: error))
            }
        }
    }

    /// Every member of every key, spoilt in turn.
    @Test(arguments: [SignatureAlgorithm.hs256, .rs256, .es256, .edDSA])
    func noErrorEchoesAKey(_ algorithm: SignatureAlgorithm) throws {
        let object = try #require(TestKeys.key(algorithm).jwk.json(.includingPrivate)?.object)
        let secrets = object.compactMap { $0.value.string }.filter { $0.utf8.count > 20 }
        let marker = Self.marker
        for (name, value) in object {
            let text = value.string ?? ""
            for spoilt in [JSON.string(marker), .string(text + marker), .string(text + "="), [.string(marker)], ""] {
                var changed = object
                changed[name] = spoilt
                do {
                    _ = try SigningKey(JWK(json: .object(changed)), algorithm: algorithm)
                } catch {
                    let description = "\(error)" + String(reflecting: error)
                    #expect(!description.contains(marker))
                    for secret in secrets { #expect(!description.contains(secret)) }
                }
            }
        }
    }

    /// No segment, and no text that the segments decode to, in the description.
    private func expectNoEcho(of token: String, in description: String) {
        #expect(!description.contains(Self.marker), "\(description)")
        for segment in token.split(whereSeparator: { ".\"".contains($0) }) where segment.utf8.count > 3 {
            if ["payload", "protected", "signature", "signatures", "header"].contains(segment) { continue }
            #expect(!description.contains(segment), "\(description)")
        }
    }
}
