import IdentityProviderTesting
import Primitives

/// That somebody presented a refresh token, as the provider has recorded it. Tokens have numbers here: each session counts its own.
struct Refresh: Hashable, Sendable {
    let side: Side
    let presented: Int
    /// The one that came back.
    let given: Int?
    /// `rotated`, `kept`, `replayed` or `refused`.
    let verdict: String
    /// Why it was refused, or taken although it was spent.
    let cause: String?
    let status: Int
    let error: String?
    /// Whether the provider ended the session for it.
    var hasEndedTheSession = false

    /// `nil`: the request was about something else.
    init?(_ request: RecordedRequest) {
        guard let refresh = request.refresh, let verdict = refresh.verdict,
            let side = request.label.flatMap(Side.init(rawValue:))
        else { return nil }
        self.side = side
        self.verdict = verdict
        presented = refresh.number
        given = refresh.givenNumber
        cause = refresh.cause
        status = request.status
        error = request.error
    }

    var isRefused: Bool { verdict == "refused" }

    /// As the record has them, and which of them was the end.
    static func all(in requests: [RecordedRequest], endReason: String?) -> [Refresh] {
        var all = requests.compactMap { Refresh($0) }
        if endReason == "refresh_token_reused", let index = all.firstIndex(where: { $0.cause == "reused" }) {
            all[index].hasEndedTheSession = true
        }
        return all
    }
}

extension Refresh {
    var line: String {
        let name = side.name + String(repeating: " ", count: Side.webView.name.count - side.name.count)
        return "\(name)  ── refresh token \(presented) ──▶  \(answer)"
    }

    private var answer: String {
        switch verdict {
        case "rotated": "\(status), refresh token \(given ?? 0)"
        case "kept": "\(status), and refresh token \(given ?? presented) stays good"
        case "replayed":
            "\(status), \(given.map { "refresh token \($0)" } ?? "no refresh token") though it was spent: forgiven"
        default: "\(status) \(error ?? ""): \(reason)"
        }
    }

    private var reason: String {
        if hasEndedTheSession { return "spent before, so taken for a thief's: the session is ended" }
        return switch cause {
        case "reused": "spent before. Nothing is ended"
        case "concurrent": "spent a moment ago. Nothing is ended"
        case "ended": "the session is over"
        default: cause ?? "refused"
        }
    }

    var json: JSON {
        [
            "side": .string(side.rawValue), "presented": .number(JSONNumber(Int64(presented))),
            "given": given.map { .number(JSONNumber(Int64($0))) } ?? .null, "verdict": .string(verdict),
            "cause": cause.map { .string($0) } ?? .null, "status": .number(JSONNumber(Int64(status))),
            "error": error.map { .string($0) } ?? .null, "ended_session": .bool(hasEndedTheSession),
        ]
    }
}
