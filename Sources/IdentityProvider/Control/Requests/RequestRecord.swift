import HTTPMessages
import OAuth
import Primitives

/// A request that came, and what became of it.
///
/// It is kept as it came, so that recording costs next to nothing; what it says is found out when somebody looks. No
/// secret is in what it says: codes, tokens, assertions and passwords are named without their values.
package struct RequestRecord: Sendable {
    /// Counts the requests of a tenant, from one.
    package internal(set) var number = 0
    /// When it came.
    package let time: Timestamp
    /// When its answer was complete.
    package let answered: Timestamp
    /// How long it took by a clock that nobody moves.
    package let duration: Duration
    /// Names the request in the log.
    package let id: String
    package let method: String
    package let userAgent: String?
    /// What it called itself.
    package let label: String?
    /// What went wrong with it because somebody wanted that, by the names of the faults. Its status is that of the answer
    /// that was made, whether or not that has arrived.
    package let faults: [String]
    /// The barriers that it came to.
    package let meetings: [BarrierMeeting]
    package let status: Int
    /// What became of the refresh token that it presented.
    package let refresh: RefreshRecord?
    /// Those that it was about: that of the refresh token first, and those that it began, ended, or brought a code or an
    /// access token of.
    package let families: [FamilyID]
    /// Those that it ended.
    package let logins: [LoginID]
    /// Found out by the endpoint.
    private let foundClientID: String?
    private let target: String
    private let authorization: String?
    /// A form; nothing of any other content is kept.
    private let form: [UInt8]
    /// The content of a refusal.
    private let refusal: [UInt8]?

    /// Bytes of one value, or of a form, that are kept: nobody fills the memory with what he sends. What is longer is as
    /// if it had not been there.
    package static let maximumByteCount = 8192

    /// When a request came, by the clock of the tenant and by one that only goes forward.
    struct Beginning {
        let time: Timestamp
        let instant = ContinuousClock.now
    }

    init(
        _ beginning: Beginning, answered: Timestamp, request: ServerRequest, target: String, response: ServerResponse,
        passage: Passage? = nil
    ) {
        let fields = request.head.headerFields
        time = beginning.time
        duration = ContinuousClock.now - beginning.instant
        self.answered = answered
        id = request.id
        method = request.head.method.rawValue
        userAgent = Self.kept(fields[.userAgent])
        label = fields[BarrierPlan.labelName].map(KeptText.of)
        faults = passage?.faults ?? []
        meetings = passage?.meetings ?? []
        authorization = Self.kept(fields[.authorization])
        self.target = Self.kept(target) ?? String(target.prefix { $0 != "?" }.prefix(Self.maximumByteCount))
        status = response.head.status.code
        let remark = response.remark as? RequestRemark
        refresh = remark?.refresh
        families = remark?.subjects ?? []
        logins = remark?.logins ?? []
        foundClientID = remark?.clientID
        let isKept = !request.body.isEmpty && request.body.count <= Self.maximumByteCount
        form = isKept && fields[.contentType].map(MediaType.isForm) == true ? request.body : []
        if status >= 400, case .bytes(let bytes) = response.body, bytes.count <= Self.maximumByteCount {
            refusal = bytes
        } else {
            refusal = nil
        }
    }

    private static func kept(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= maximumByteCount ? $0 : nil }
    }

    /// Below the tenant, without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }
    /// The client that the request names, be it by its cookies or an ID token; nobody says that it has proven to be that client.
    package var clientID: String? {
        NamedClient.identifier(authorization: authorization, parameters: allParameters) ?? foundClientID
    }
    package var grantType: String? { Passage.grantType(in: allParameters, at: path) }
    /// The scheme of the credentials in the header, if it is one of those that we know: who forgets it sends his secret in
    /// its place.
    package var authorizationScheme: String? {
        authorization.map { text in
            let name = text.prefix { $0 != " " }.lowercased()
            return Self.shownSchemes.first { sameText($0.lowercased(), name) } ?? "other"
        }
    }

    private static let shownSchemes = ["Basic", "Bearer", "DPoP"]

    /// `error` of the answer.
    package var error: String? { refusal.flatMap { try? JSON(parsing: $0.span) }?["error"]?.string }

    /// Parameters of the query and of a form; no value where it may be a secret.
    package var parameters: [(name: String, value: String?)] {
        allParameters.map { ($0.name, Self.isShown($0.name) ? Self.withoutQuery($0.value, of: $0.name) : nil) }
    }

    private var allParameters: FormParameters { NamedClient.parameters(target: target, form: form) }

    /// A client may have put into the query of its own URIs what is nobody else's business.
    private static func withoutQuery(_ value: String, of name: String) -> String {
        guard name.hasSuffix("redirect_uri") else { return value }
        return String(value.prefix { $0 != "?" && $0 != "#" })
    }

    private static func isShown(_ name: String) -> Bool { shownParameters.contains(name) }

    /// Those that hold no secret. Whatever else is sent is named alone.
    private static let shownParameters: Set<String> = [
        "acr_values", "actor_token_type", "audience", "claims", "claims_locales", "client_assertion_type", "client_id",
        "code_challenge", "code_challenge_method", "display", "dpop_jkt", "grant_type", "login_hint", "max_age",
        "nonce",
        "post_logout_redirect_uri", "prompt", "redirect_uri", "requested_token_type", "resource", "response_mode",
        "response_type", "scope", "state", "subject_token_type", "token_type_hint", "ui_locales", "username",
    ]
}

extension RequestRecord {
    package var json: JSON {
        var members = JSONObject()
        for (name, value) in parameters {
            let value: JSON = value.map { .string($0) } ?? .null
            // RFC 8707 lets some be there several times.
            switch members[name] {
            case nil: members[name] = value
            case .array(let values)?: members[name] = .array(values + [value])
            case let first?: members[name] = .array([first, value])
            }
        }
        var object: JSONObject = [
            "id": .number(JSONNumber(Int64(number))), "request": .string(id), "time": .string(time.description),
            "method": .string(method), "path": .string(path), "status": .number(JSONNumber(Int64(status))),
        ]
        let texts = [
            ("client_id", clientID), ("grant_type", grantType), ("error", error), ("user_agent", userAgent),
            ("authorization", authorizationScheme), ("label", label),
        ]
        for (name, text) in texts where text != nil { object[name] = .string(text!) }
        object["parameters"] = .object(members)
        object["answered"] = .string(answered.description)
        object["duration_ms"] = .number(JSONNumber(duration.inMilliseconds))
        if !faults.isEmpty { object["faults"] = .array(faults.map { .string($0) }) }
        if !meetings.isEmpty { object["barriers"] = .array(meetings.map(\.json)) }
        if !families.isEmpty { object["families"] = .array(families.map { .string($0.description) }) }
        if !logins.isEmpty { object["logins"] = .array(logins.map { .string($0.text) }) }
        if let refresh { object["refresh"] = refresh.json }
        return .object(object)
    }
}
