import HTTPMessages
import Primitives

/// The fields that are about one connection and not about the message (RFC 9110 section 7.6.1): a proxy removes them, and those that
/// `Connection` names.
enum HopFields {
    static func removed(from fields: HTTPFields) -> HTTPFields {
        let named = fields[values: .connection].flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).compactMap { option in
                HTTPField.Name(String(Substring(option)).filter { $0 != " " && $0 != "\t" })
            }
        }
        return HTTPFields(fields.filter { !isHop($0.name) && !named.contains($0.name) })
    }

    private static func isHop(_ name: HTTPField.Name) -> Bool {
        switch name.wellKnown {
        case .connection, .keepAlive, .te, .trailer, .transferEncoding, .upgrade: true
        default: names.contains(name)
        }
    }

    private static let names: Set<HTTPField.Name> = [
        HTTPField.Name(validated: "Proxy-Connection"), HTTPField.Name(validated: "Proxy-Authenticate"),
        HTTPField.Name(validated: "Proxy-Authorization"), HTTPField.Name(validated: "Proxy-Authentication-Info"),
    ]
}
