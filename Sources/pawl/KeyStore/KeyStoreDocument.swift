import IdentityProvider
import JOSE
import Primitives

/// The content of the file that keys are kept in: JSON, moments in RFC 3339, durations in milliseconds.
enum KeyStoreDocument {
    /// Keeps one program from taking another's file for its own.
    private static let format = "pawl-keys"
    private static let version: Int64 = 1
    /// A private RSA key of 16384 bits, the largest that is read, takes 13 KiB with what stands beside it.
    private static let greatestKeyBytes = 16 << 10
    /// Room for as many keys as there may be.
    static let limits = JSONLimits(bytes: KeyRing.State.maximumCount * greatestKeyBytes)
    private static let greatestLifetime = Duration.seconds(ProviderConfiguration.maximumTokenLifetimeSeconds)

    /// What stands in the way, by the member where it does.
    struct Problem: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    static func write(_ state: KeyRing.State) -> [UInt8] {
        let document: JSON = [
            "format": .string(format),
            "version": .number(JSONNumber(version)),
            "keys": .array(state.keys.map { .object(write($0)) }),
        ]
        return document.serialised(pretty: true)
    }

    private static func write(_ entry: KeyRing.Entry) -> JSONObject {
        var object: JSONObject = [
            "role": .string(entry.role.name), "created": write(entry.created),
        ]
        switch entry.role {
        case .next(let moment): object["active_from"] = write(moment)
        case .active: break
        case .retiring(let moment): object["published_until"] = write(moment)
        }
        if let expiry = entry.latestExpiry { object["latest_expiry"] = write(expiry) }
        object["longest_lifetime_ms"] = .number(JSONNumber(entry.longestLifetime.inMilliseconds))
        object["jwk"] = entry.key.jwk.json(.includingPrivate)
        return object
    }

    /// A moment that RFC 3339 cannot write is after everything that it can.
    private static func write(_ moment: Timestamp) -> JSON {
        .string(min(moment, .endOfYear9999).description)
    }

    static func read(_ bytes: [UInt8]) throws(Problem) -> KeyRing.State {
        let document: JSON
        do { document = try JSON(parsing: bytes.span, limits: limits) } catch { throw Problem(error.description) }
        guard document["format"]?.string == format else { throw Problem("format is not \(format)") }
        guard document["version"]?.int64 == version else {
            throw Problem("version is not \(version): it was written by another version of this program")
        }
        guard let elements = document["keys"]?.array else { throw Problem("keys is not an array") }
        var entries: [KeyRing.Entry] = []
        for (index, element) in elements.enumerated() {
            do throws(Problem) {
                entries.append(try readEntry(element))
            } catch {
                throw Problem("keys[\(index)]: \(error.reason)")
            }
        }
        do { return try KeyRing.State(restoring: entries) } catch { throw Problem(error.description) }
    }

    private static func readEntry(_ json: JSON) throws(Problem) -> KeyRing.Entry {
        guard let jwk = json["jwk"] else { throw Problem("jwk is missing") }
        let key: SigningKey
        do { key = try SigningKey(JWK(json: jwk)) } catch { throw Problem(error.description) }
        let role: KeyRing.Role
        switch json["role"]?.string {
        case "next": role = .next(activeFrom: try moment("active_from", of: json))
        case "active": role = .active
        case "retiring": role = .retiring(publishedUntil: try moment("published_until", of: json))
        default: throw Problem("role is not one of next, active, retiring")
        }
        guard let lifetime = json["longest_lifetime_ms"]?.int64, lifetime >= 0,
            lifetime <= greatestLifetime.inMilliseconds
        else {
            throw Problem("longest_lifetime_ms is not a number from 0 to \(greatestLifetime.inMilliseconds)")
        }
        return KeyRing.Entry(
            key: key, created: try moment("created", of: json), role: role,
            latestExpiry: json["latest_expiry"] == nil ? nil : try moment("latest_expiry", of: json),
            longestLifetime: .milliseconds(lifetime))
    }

    private static func moment(_ name: String, of json: JSON) throws(Problem) -> Timestamp {
        guard let moment = json[name]?.string.flatMap(TimestampText.read) else {
            throw Problem("\(name) is not a time as RFC 3339 writes it")
        }
        return moment
    }
}

extension KeyRing.Role {
    /// As it is kept and listed.
    var name: String {
        switch self {
        case .next: "next"
        case .active: "active"
        case .retiring: "retiring"
        }
    }
}
