import OAuth
import Primitives

extension RotationKnob {
    /// Every knob. Another one is another row.
    package static let all: [RotationKnob] = [
        rotate,
        duration("rotate-until", \.rotatesUntil, absent: "always", "A family older than this keeps its token."),
        flag(
            "young", \.keepsYoung, ("rotated", "kept"),
            "Whether a token younger than the window is kept when it is used."),
        flag(
            "pair", \.endsPairedAccessToken, ("kept", "ended"),
            "What becomes of the access token that came with a token that is replaced."),
        choice("replay", \.replay, "What a token that was replaced gets within the window."),
        choice("ancestors", \.ancestors, "Which tokens may be within the window."),
        duration("window", \.window, absent: "unlimited", "How long, from the replacement on."),
        count,
        flag(
            "use-closes", \.useOfChildCloses, ("no", "yes"),
            "Whether the use of the successor ends the window of its parent."),
        flag(
            "siblings", \.replacesSibling, ("kept", "replaced"),
            "What becomes of the earlier successor when a replay gets a new one."),
        choice("race", \.race, "What the loser of a race hears, whose request came before its token was replaced."),
        choice("revoke", \.revocation, "What a replay outside the window ends."),
        error, status, headers, causeHeader,
        lifetime("idle", \.idleLifetime, "How long a family lives without use."),
        choice("idle-extends", \.idleExtension, "Whether use extends that, or a new token alone does."),
        lifetime(
            "absolute", \.absoluteLifetime,
            "How long a family lives, if that is less than lifetimes.refresh_token. Nothing extends it."),
    ]

    package static func named(_ name: String) -> RotationKnob? { all.first { $0.name.utf8.elementsEqual(name.utf8) } }

    private static let rotate = Self(
        "rotate", "never, always, public, 70%, public+70%",
        "Which tokens are replaced: those of public clients that are bound to no key, those past a share of their lifetime.",
        write: { policy in
            switch policy.rotation {
            case .never: "never"
            case .always: "always"
            case .publicClients(nil): "public"
            case .publicClients(let share?): "public+\(share)%"
            case .afterShare(let share): "\(share)%"
            }
        }
    ) { text, policy in
        switch text {
        case "never": policy.rotation = .never
        case "always": policy.rotation = .always
        case "public": policy.rotation = .publicClients(othersAfter: nil)
        default:
            let isPublic = text.utf8.starts(with: "public+".utf8)
            guard let share = percentage(isPublic ? text.dropFirst(7) : text[...]) else { return false }
            policy.rotation = isPublic ? .publicClients(othersAfter: share) : .afterShare(share)
        }
        return true
    }

    /// Between one and a hundred.
    private static func percentage(_ text: Substring) -> Int? {
        guard text.utf8.last == UInt8(ascii: "%"), let number = number(text.dropLast(), in: 1...100) else { return nil }
        return number
    }

    /// As it is written: neither a sign nor a zero before it.
    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), range.contains(number), String(number).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return number
    }

    private static let count = Self(
        "count", "0 to \(UInt16.max - 1), unlimited", "How often one token may be replayed.",
        write: { $0.count.map { "\($0)" } ?? "unlimited" }
    ) { text, policy in
        if text == "unlimited" {
            policy.count = nil
            return true
        }
        guard let count = number(text[...], in: 0...Int(UInt16.max - 1)) else { return false }
        policy.count = count
        return true
    }

    private static let error = Self(
        "error", "a code of RFC 6749 section 5.2 such as invalid_grant", "The error of the refusal.",
        write: \.error
    ) { text, policy in
        // Of what may stand in an `error`, what codes are made of.
        guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy(isCodeByte) else { return false }
        policy.error = text
        return true
    }

    private static func isCodeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static let status = Self(
        "status", "400 to 599", "The status of the refusal.", write: { "\($0.status)" }
    ) { text, policy in
        guard let status = number(text[...], in: 400...599) else { return false }
        policy.status = status
        return true
    }

    /// As many go with a refusal at most.
    private static let maximumHeaderCount = 8
    private static let maximumHeaderByteCount = 256

    private static let headers = Self(
        "headers", "fields such as Retry-After:1, with semicolons between them, none",
        "Fields that go with the refusal.",
        write: { policy in
            policy.headers.isEmpty
                ? "none" : policy.headers.map { "\($0.name):\($0.value)" }.joined(separator: ";")
        }
    ) { text, policy in
        if text == "none" {
            policy.headers = []
            return true
        }
        let fields = text.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count <= maximumHeaderCount, text.utf8.count <= maximumHeaderByteCount else { return false }
        var headers: [RotationPolicy.Header] = []
        for field in fields {
            guard let colon = field.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
            let name = field[..<colon]
            let value = field[field.utf8.index(after: colon)...]
            guard isFieldName(name), isFieldValue(value) else { return false }
            headers.append(RotationPolicy.Header(String(name), String(value)))
        }
        policy.headers = headers
        return true
    }

    private static let causeHeader = Self(
        "cause-header", "the name of a field, none", "The field that says why, in answers to replays and in refusals.",
        write: { $0.causeHeader ?? "none" }
    ) { text, policy in
        if text == "none" {
            policy.causeHeader = nil
            return true
        }
        guard isFieldName(text[...]), text.utf8.count <= maximumHeaderByteCount else { return false }
        policy.causeHeader = text
        return true
    }

    /// RFC 9110 section 5.1, and none that frames the message or that the answer has anyway: who may read and keep it is not
    /// for a rotation policy to say.
    private static func isFieldName(_ text: Substring) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy(isFieldNameByte) else { return false }
        let name = text.lowercased()
        return !reserved.contains(name) && !name.hasPrefix("access-control-") && !name.hasPrefix("content-")
    }

    private static func isFieldNameByte(_ byte: UInt8) -> Bool {
        isCodeByte(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static let reserved: Set<String> = [
        "cache-control", "connection", "date", "dpop-nonce", "keep-alive", "location", "none", "pragma", "set-cookie",
        "te", "trailer", "transfer-encoding", "upgrade", "vary", "www-authenticate", "x-content-type-options",
        "x-request-id",
    ]

    /// RFC 9110 section 5.5, without spaces at the ends; a comma would end the knob.
    private static func isFieldValue(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }
}
