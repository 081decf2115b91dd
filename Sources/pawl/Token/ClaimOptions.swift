import JOSE
import Primitives

/// What a token says.
enum ClaimOptions {
    static let group = OptionGroup(title: "Claims")

    static let claims = Option.optional(
        "claims", .file, in: group, "A JSON object of claims; - is standard input.")
    static let claim = Option.list(
        "claim", ClaimText.reader, in: group,
        "One claim; VALUE is JSON if it can be read as JSON, else a string. Replaces one of --claims.")
    static let issuer = Option.optional("issuer", .text("URL"), in: group, "iss")
    static let subject = Option.optional("subject", .text("SUB"), in: group, "sub")
    static let audience = Option.list("audience", .text("AUD"), in: group, "aud; an array if given more than once.")
    static let expiresIn = Option.value(
        "expires-in", .signedDuration, default: "5m", in: group,
        "exp, counted from the time of signing; unless the claims have one.")
    static let noExpiry = Option.flag("no-expiry", in: group, "No exp: the token is valid for ever.")
    static let notBefore = Option.optional("not-before", .moment, in: group, "nbf")
    static let at = Option.optional(
        "at", .moment, in: group, defaultNote: "now", "The time of signing: iat, unless the claims have one.")

    static let rows = [
        claims.row, claim.row, issuer.row, subject.row, audience.row, expiresIn.row, noExpiry.row, notBefore.row,
        at.row,
    ]

    static func read(_ arguments: Arguments, now: Timestamp) throws(CommandFailure) -> JSONObject {
        var object = try arguments[claims].map { file throws(CommandFailure) in try readObject(file) } ?? JSONObject()
        for claim in arguments[claim] { object[claim.name] = claim.value }
        if let value = arguments[issuer] { object["iss"] = .string(value) }
        if let value = arguments[subject] { object["sub"] = .string(value) }
        let audience = arguments[audience]
        if !audience.isEmpty {
            object["aud"] = audience.count == 1 ? .string(audience[0]) : .array(audience.map(JSON.string))
        }
        let signed = arguments[at] ?? now
        if object["iat"] == nil { object["iat"] = number(signed) }
        if let moment = arguments[notBefore] { object["nbf"] = number(moment) }
        if arguments[noExpiry] {
            guard !arguments.isGiven(expiresIn), object["exp"] == nil else {
                throw .usage("--no-expiry, and an expiry")
            }
        } else if arguments.isGiven(expiresIn) || object["exp"] == nil {
            object["exp"] = number(signed + arguments[expiresIn])
        }
        return object
    }

    private static func number(_ moment: Timestamp) -> JSON { .number(JSONNumber(moment.secondsSinceEpoch)) }

    private static func readObject(_ file: String) throws(CommandFailure) -> JSONObject {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileSystem.read(file) } catch { throw error.failure }
        let name = file == "-" ? "standard input" : file
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes.span) } catch {
            throw .badInput("\(name) is not acceptable JSON: \(error)")
        }
        guard let object = json.object else { throw .badInput("\(name) is not a JSON object") }
        return object
    }
}
