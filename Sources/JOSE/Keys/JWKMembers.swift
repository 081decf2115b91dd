import Primitives

/// Takes the members of a key out of its JSON, each in the one form that the standard allows.
struct JWKMembers {
    let object: JSONObject

    func has(_ name: String) -> Bool { object[name] != nil }

    /// A string, if the member is there.
    func text(_ name: String) throws(JWKError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw .memberOfWrongType(name) }
        return text
    }

    func requiredText(_ name: String) throws(JWKError) -> String {
        guard let text = try text(name) else { throw .missingMember(name) }
        return text
    }

    /// Octets in Base64URL; of exactly `count` if that is given.
    func octets(_ name: String, count: Int? = nil) throws(JWKError) -> [UInt8] {
        let text = try requiredText(name)
        let bytes: [UInt8]
        do { bytes = try Base64URL.decode(text) } catch { throw .notBase64URL(name) }
        if let count, bytes.count != count { throw .wrongLength(name) }
        return bytes
    }

    /// A Base64urlUInt. RFC 7518 section 2: the octet sequence MUST utilise the minimum number of octets.
    func integer(_ name: String) throws(JWKError) -> [UInt8] {
        let bytes = try octets(name)
        guard let first = bytes.first, first != 0 else { throw .leadingZeros(name) }
        return bytes
    }

    func secretOctets(_ name: String, count: Int? = nil) throws(JWKError) -> Secret {
        try Self.secret(octets(name, count: count))
    }

    func secretInteger(_ name: String) throws(JWKError) -> Secret {
        try Self.secret(integer(name))
    }

    private static func secret(_ bytes: consuming [UInt8]) -> Secret {
        var bytes = bytes
        let secret = Secret(bytes)
        bytes.withUnsafeMutableBytes { wipe($0) }
        return secret
    }

    /// RFC 7517 section 4.3: an array of strings; duplicate operations MUST NOT be present.
    func keyOperations() throws(JWKError) -> [String]? {
        guard let value = object["key_ops"] else { return nil }
        guard let elements = value.array else { throw .memberOfWrongType("key_ops") }
        var operations: [String] = []
        for element in elements {
            guard let operation = element.string else { throw .memberOfWrongType("key_ops") }
            if operations.contains(where: { sameText($0, operation) }) { throw .repeatedKeyOperation }
            operations.append(operation)
        }
        return operations
    }
}
