import Primitives

/// What a token says, believed by nobody. Takes apart what no verifier would accept too, such as `alg` none: one looks
/// into a token because something is wrong with it.
struct TokenContents {
    let header: JSONObject
    let claims: JSONObject
    let signatureBytes: Int

    struct Problem: Error {
        let reason: String
    }

    init(_ token: String) throws(Problem) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Problem(reason: "it has \(parts.count) parts, not 3") }
        header = try Self.object(parts[0], named: "header")
        claims = try Self.object(parts[1], named: "claims")
        do {
            signatureBytes = try Base64URL.decode(String(parts[2])).count
        } catch {
            throw Problem(reason: "the signature is not Base64URL")
        }
    }

    private static func object(_ text: Substring, named name: String) throws(Problem) -> JSONObject {
        let bytes: [UInt8]
        do { bytes = try Base64URL.decode(String(text)) } catch {
            throw Problem(reason: "the \(name) is not Base64URL")
        }
        let json: JSON
        do { json = try JSON(parsing: bytes.span) } catch { throw Problem(reason: "the \(name) is not JSON: \(error)") }
        guard let object = json.object else { throw Problem(reason: "the \(name) is not a JSON object") }
        return object
    }

    /// The claims that are moments, in the order of a token's life.
    private var moments: [(name: String, moment: Timestamp)] {
        ["auth_time", "iat", "nbf", "exp"].compactMap { name in
            // Beyond the year 9999 it is no moment that anybody meant.
            guard let seconds = claims[name]?.double, seconds >= 0, seconds <= 253_402_300_799 else { return nil }
            return (name, Timestamp(millisecondsSinceEpoch: Int64(seconds * 1000)))
        }
    }

    func description(at now: Timestamp) -> JSONObject {
        var times: JSONObject = [:]
        for (name, moment) in moments { times[name] = .string(moment.rfc3339(withMilliseconds: false)) }
        return [
            "verified": false, "header": .object(header), "claims": .object(claims), "times": .object(times),
            "expired": .bool(moments.contains { $0.name == "exp" && $0.moment <= now }),
            "signature_bytes": .number(JSONNumber(Int64(signatureBytes))),
        ]
    }

    func text(at now: Timestamp) -> String {
        var text = "Header\n\(JSON.object(header).text(pretty: true))"
        text += "Claims\n\(JSON.object(claims).text(pretty: true))"
        if !moments.isEmpty {
            text += "Times\n"
            let rows = moments.map { name, moment in
                ["  \(name)", moment.rfc3339(withMilliseconds: false), Self.distance(from: now, to: moment)]
            }
            text += TextTable(rows).text
        }
        return text + "Signature\n  \(signatureBytes) bytes, not verified\n"
    }

    private static func distance(from now: Timestamp, to moment: Timestamp) -> String {
        let seconds = (moment - now).inSeconds
        let text = DurationText.write(.seconds(abs(seconds)))
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }
}
