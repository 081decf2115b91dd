import Cookies
import OAuth
import Primitives

/// The form in which a record is kept: JSON with the number of its format, inside of whatever the store does with it.
extension SessionRecord {
    /// Of the format. One that is newer is refused, for it may hold what would be lost.
    private static let format: Int64 = 1
    /// Epochs, generations and attempts are counted one by one: so many nobody has, and there is room for the next.
    fileprivate static let endOfCounting: UInt64 = 1 << 60

    package var encoded: [UInt8] {
        var members: JSONObject = [
            "format": .number(JSONNumber(Self.format)), "epoch": .string(String(epoch)),
        ]
        switch content {
        case .signedIn(let credential): members["signed_in"] = .object(credential.members)
        case .signedOut(let signOut): members["signed_out"] = .object(signOut.members)
        }
        if let rotation { members["rotation"] = .object(rotation.members) }
        if !gone.isEmpty { members["gone"] = .array(gone.map(\.json)) }
        return JSON.object(members).serialised()
    }

    package init(encoded: [UInt8]) throws(SessionStoreError) {
        let json: JSON
        do { json = try JSON(parsing: encoded.span) } catch {
            throw .corrupt(reason: "the record is not JSON")
        }
        guard let format = json["format"]?.int64, format > 0 else { throw .corrupt(reason: "the record has no format") }
        guard format <= Self.format else { throw .corrupt(reason: "a newer program has written it") }
        guard let epoch = json["epoch"]?.count, let content = Content(json), let rotation = Self.rotation(json)
        else { throw .corrupt(reason: "the record is incomplete") }
        let gone = (json["gone"]?.array ?? []).map(Cookie.Identity.init(json:))
        guard !gone.contains(nil) else { throw .corrupt(reason: "the record is incomplete") }
        self.init(epoch: epoch, content: content, rotation: rotation, gone: gone.compactMap(\.self))
    }

    private static func rotation(_ json: JSON) -> Rotation?? {
        guard let value = json["rotation"] else { return .some(nil) }
        return value.object.flatMap(Rotation.init).map(Optional.some)
    }
}

extension SessionRecord.Content {
    fileprivate init?(_ json: JSON) {
        switch (json["signed_in"]?.object, json["signed_out"]?.object) {
        case (let members?, nil):
            guard let credential = Credential(members) else { return nil }
            self = .signedIn(credential)
        case (nil, let members?):
            guard let signOut = SignOut(members) else { return nil }
            self = .signedOut(signOut)
        default: return nil
        }
    }
}

// MARK: - Parts

extension Credential {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "generation": .string(String(generation)), "access_token": .string(accessToken.text),
            "token_type": .string(tokenType), "skew": .milliseconds(skew),
        ]
        members["presentation"] = presentation.map {
            ["generation": .string(String($0.generation)), "attempt": .number(JSONNumber(Int64($0.attempt)))]
        }
        members["expires"] = expires.map(JSON.moment)
        members["refresh_after"] = refreshAfter.map(JSON.moment)
        members["refresh_token"] = refreshToken.map { .string($0.text) }
        members["scope"] = scope.map { .string($0.text) }
        members["id_token"] = idToken.map { .string($0.text) }
        members["dpop_key"] = dpopKey.map { .string(Base64URL.encode($0.withBytes { Array($0) })) }
        if !cookies.isEmpty { members["cookies"] = .array(cookies.map(\.json)) }
        return members
    }

    fileprivate init?(_ members: JSONObject) {
        let cookies = (members["cookies"]?.array ?? []).map { Cookie(json: $0) }
        guard !cookies.contains(nil) else { return nil }
        guard let generation = members["generation"]?.count,
            let accessToken = members["access_token"]?.string, let tokenType = members["token_type"]?.string,
            let skew = members["skew"]?.int64, let presentation = Self.presentation(members["presentation"])
        else { return nil }
        self.init(
            generation: generation, presentation: presentation, accessToken: Secret(utf8: accessToken),
            tokenType: tokenType,
            expires: members["expires"]?.moment, refreshAfter: members["refresh_after"]?.moment,
            refreshToken: members["refresh_token"]?.string.map(Secret.init(utf8:)),
            scope: members["scope"]?.string.flatMap { try? Scope(parsing: $0) },
            idToken: members["id_token"]?.string.map(Secret.init(utf8:)), skew: .milliseconds(skew),
            dpopKey: members["dpop_key"]?.string.flatMap { try? Base64URL.decode($0) }.map { Secret($0) },
            cookies: cookies.compactMap(\.self))
    }
}

extension Credential {
    private static func presentation(_ json: JSON?) -> Presentation?? {
        guard let json else { return .some(nil) }
        guard let generation = json["generation"]?.count, let attempt = json["attempt"]?.attempt else { return nil }
        return Presentation(of: generation, attempt: attempt)
    }
}

extension SignOut {
    fileprivate var members: JSONObject {
        var members: JSONObject = ["reason": .string(name)]
        if case .refused(let code) = reason { members["code"] = .string(code) }
        members["moment"] = moment.map(JSON.moment)
        return members
    }

    private var name: String {
        switch reason {
        case .never: "never"
        case .user: "user"
        case .refused: "refused"
        case .expired: "expired"
        case .unreadable: "unreadable"
        }
    }

    fileprivate init?(_ members: JSONObject) {
        let reason: Reason
        switch members["reason"]?.string {
        case "never": reason = .never
        case "user": reason = .user
        case "refused": reason = .refused(code: members["code"]?.string ?? "")
        case "expired": reason = .expired
        case "unreadable": reason = .unreadable
        default: return nil
        }
        self.init(reason, at: members["moment"]?.moment)
    }
}

extension Rotation {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "holder": .string(holder), "claimed": .moment(claimed), "began": .moment(began),
            "attempts": .number(JSONNumber(Int64(attempts))),
        ]
        members["lease_ends"] = leaseEnds.map(JSON.moment)
        members["failure"] = failure.map { .object($0.members) }
        return members
    }

    fileprivate init?(_ members: JSONObject) {
        guard let holder = members["holder"]?.string, let began = members["began"]?.moment,
            let claimed = members["claimed"]?.moment, let attempts = members["attempts"]?.attempt
        else { return nil }
        self.init(
            holder: holder, leaseEnds: members["lease_ends"]?.moment, claimed: claimed, began: began,
            attempts: attempts,
            failure: members["failure"]?.object.flatMap(Failure.init))
    }
}

extension Rotation.Failure {
    fileprivate var members: JSONObject {
        var members: JSONObject = ["retry_at": .moment(retryAt)]
        switch cause {
        case .refused(let code): members["refused"] = .string(code)
        case .unavailable(.offline): members["unavailable"] = "offline"
        case .unavailable(.unreadable): members["unavailable"] = "unreadable"
        case .unavailable(.cancelled): members["unavailable"] = "cancelled"
        case .unavailable(.server(let status)): members["status"] = .number(JSONNumber(Int64(status)))
        }
        return members
    }

    fileprivate init?(_ members: JSONObject) {
        guard let retryAt = members["retry_at"]?.moment else { return nil }
        if let code = members["refused"]?.string {
            self.init(.refused(code: code), retryAt: retryAt)
        } else if let status = members["status"]?.int64 {
            self.init(.unavailable(.server(status: Int(status))), retryAt: retryAt)
        } else {
            switch members["unavailable"]?.string {
            case "offline": self.init(.unavailable(.offline), retryAt: retryAt)
            case "unreadable": self.init(.unavailable(.unreadable), retryAt: retryAt)
            case "cancelled": self.init(.unavailable(.cancelled), retryAt: retryAt)
            default: return nil
            }
        }
    }
}

extension Cookie.Identity {
    fileprivate var json: JSON {
        ["name": .string(name), "domain": .string(domain), "hostOnly": .bool(isHostOnly), "path": .string(path)]
    }

    fileprivate init?(json: JSON) {
        guard let name = json["name"]?.string, let domain = json["domain"]?.string, let path = json["path"]?.string,
            let isHostOnly = json["hostOnly"]?.bool
        else { return nil }
        self.init(name: name, domain: domain, isHostOnly: isHostOnly, path: path)
    }
}

// MARK: - Values

extension JSON {
    fileprivate static func moment(_ moment: Timestamp) -> JSON {
        .number(JSONNumber(moment.millisecondsSinceEpoch))
    }

    fileprivate static func milliseconds(_ duration: Duration) -> JSON { .number(JSONNumber(duration.inMilliseconds)) }

    fileprivate var count: UInt64? {
        string.flatMap(UInt64.init).flatMap { $0 < SessionRecord.endOfCounting ? $0 : nil }
    }

    fileprivate var attempt: Int? {
        int64.flatMap { $0 >= 0 && $0 < SessionRecord.endOfCounting ? Int($0) : nil }
    }

    fileprivate var moment: Timestamp? { int64.map(Timestamp.init(millisecondsSinceEpoch:)) }
}

extension Secret {
    /// Of one that is text, as tokens are.
    fileprivate var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
