import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// Answers that were mangled on the way. Whatever becomes of them, none becomes the end of a session that the server did not
/// end.
@Suite struct TokenAnswerMutationTests {
    private static let good = Array(LoginFixtures.grant.utf8)
    private static let statuses = [200, 201, 204, 301, 302, 400, 401, 403, 404, 429, 500, 503]

    private func answer(_ body: [UInt8], status: Int) async -> TokenAnswer {
        let response = HTTPResponse(status: .init(code: status, reasonPhrase: ""))
        let server = ScriptedServer { _ in .response(response, body) }
        return await LoginFixtures.tokens(server).refresh(Secret(utf8: "refresh-1"))
    }

    @Test(arguments: 0..<20) func neverMakesARefusalOfAMangledGrant(_ seed: UInt64) async throws {
        let random = Choices(seed: seed)
        for _ in 0..<500 {
            var body = Self.good
            for _ in 0...random.below(4) { random.mangle(&body) }
            let status = Self.statuses[random.below(Self.statuses.count)]
            if let refusal = await answer(body, status: status).asRefusal {
                #expect(!refusal.endsSession, "\(status): \(String(decoding: body, as: UTF8.self))")
            }
        }
    }

    /// The other way: a refusal that was mangled ends the session only where it still says so, whole.
    @Test(arguments: 0..<20) func endsASessionOnlyWhereItStillSaysSo(_ seed: UInt64) async throws {
        let random = Choices(seed: seed)
        let refusal = Array(#"{"error":"invalid_grant","error_description":"the refresh token is spent"}"#.utf8)
        var ended = 0
        for _ in 0..<500 {
            var body = refusal
            random.mangle(&body)
            let answer = await answer(body, status: 400)
            guard answer.asRefusal?.endsSession == true else { continue }
            ended += 1
            let json = try JSON(parsing: body.span)
            #expect(json["error"]?.string == "invalid_grant")
        }
        // Mangling the description alone changes nothing of what is said; mangling all does.
        #expect((1..<500).contains(ended))
    }

    @Test func everyCutLeavesTheSessionAlone() async throws {
        for (whole, status) in [(Self.good, 200), (Array(#"{"error":"invalid_grant"}"#.utf8), 400)] {
            for count in 0..<whole.count {
                let answer = await answer(Array(whole[..<count]), status: status)
                #expect(answer.asUnavailability == Unavailability(.unreadable), "\(count) of \(whole.count) bytes")
            }
        }
    }
}

/// Chances that repeat themselves.
private struct Choices {
    private let source: SeededRandom

    init(seed: UInt64) { source = SeededRandom(seed: seed) }

    func below(_ limit: Int) -> Int {
        let bytes = source.bytes(4)
        return Int(bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % UInt32(limit))
    }

    private static let words = [
        "error", "\"error\":\"invalid_grant\"", "invalid", "null", "{", "}", "\"", ",", ":", "\\u0000", "<html>",
        "1e999",
        "access_token",
    ]

    /// Changes, takes away, repeats or puts in a few bytes. Never the whole of an error: that is what the server alone says.
    func mangle(_ body: inout [UInt8]) {
        guard !body.isEmpty else { return }
        let place = below(body.count)
        let end = min(body.count, place + 1 + below(8))
        switch below(6) {
        case 0: body[place] ^= UInt8(1 << below(8))
        case 1: body.removeSubrange(place..<end)
        case 2: body.insert(contentsOf: body[place..<end], at: place)
        case 3: body.insert(contentsOf: source.bytes(1 + below(4)), at: place)
        case 4: body.removeSubrange(place...)
        default: body.insert(contentsOf: Self.words[below(Self.words.count)].utf8, at: place)
        }
    }
}
