import Primitives

/// The body of a request to an endpoint, `application/x-www-form-urlencoded`, written straight from secrets, which never
/// become texts on the way.
struct FormBody: Sendable {
    private(set) var bytes: [UInt8] = []
    /// What must not come back in the description of an error.
    private(set) var secrets: [Secret] = []

    static let mediaType = "application/x-www-form-urlencoded"

    init() {}

    init(grant: String) { append("grant_type", grant) }

    mutating func append(_ name: String, _ value: String) {
        begin(name)
        PercentEncoding.append(value.utf8, space: .plus, to: &bytes)
    }

    mutating func append(_ name: String, _ value: Secret) {
        begin(name)
        value.withBytes { PercentEncoding.append($0, space: .plus, to: &bytes) }
        remember(value)
    }

    /// Of a secret that goes along in another place: it must not come back in an error either.
    mutating func remember(_ secret: Secret) { secrets.append(secret) }

    private mutating func begin(_ name: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        PercentEncoding.append(name.utf8, space: .plus, to: &bytes)
        bytes.append(UInt8(ascii: "="))
    }
}

extension FormBody: CustomStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
