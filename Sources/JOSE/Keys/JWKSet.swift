import Crypto
import Primitives

/// A set of keys (RFC 7517 section 5).
package struct JWKSet: Sendable, Equatable {
    /// As many as one set may have: whoever publishes a thousand keys wants something else than signatures verified.
    package static let maximumCount = 256

    package let keys: [JWK]
    /// Why entries were left out, by their place in the array.
    package let skipped: [Int: JWKError]

    package init(_ keys: [JWK]) {
        self.keys = keys
        skipped = [:]
    }

    /// Reads a set from JSON text.
    package init(parsing text: Span<UInt8>, allowing allowances: KeyAllowances = []) throws(JWKError) {
        let json: JSON
        do { json = try JSON(parsing: text, limits: .keySet) } catch { throw .malformed(error) }
        try self.init(json: json, allowing: allowances)
    }

    /// Reads a set from JSON text.
    package init(parsing text: String, allowing allowances: KeyAllowances = []) throws(JWKError) {
        try self.init(parsing: text.utf8.span, allowing: allowances)
    }

    /// Reads a set. RFC 7517 section 5: a key of a type that is not understood, without a required member, or with
    /// values out of range SHOULD be ignored, so that a new sort of key does not disable the old ones.
    package init(json: JSON, allowing allowances: KeyAllowances = []) throws(JWKError) {
        guard let elements = json["keys"]?.array else { throw .notAKeySet }
        guard elements.count <= Self.maximumCount else { throw .tooManyKeys(limit: Self.maximumCount) }
        var keys: [JWK] = []
        var skipped: [Int: JWKError] = [:]
        for (position, element) in elements.enumerated() {
            guard case .object = element else { throw .notAKeySet }
            do throws(JWKError) {
                keys.append(try JWK(json: element, allowing: allowances))
            } catch {
                skipped[position] = error
            }
        }
        self.keys = keys
        self.skipped = skipped
    }

    /// The set as JSON. Secrets have no public part and are left out of a public set.
    package func json(_ contents: JWK.Contents) -> JSON {
        .object(["keys": .array(keys.compactMap { $0.json(contents) })])
    }

    /// The first key with that `kid`.
    package subscript(keyID: String) -> JWK? {
        keys.first { $0.keyID.map { sameText($0, keyID) } ?? false }
    }
}

extension JSONLimits {
    /// 256 keys of 4 KiB each.
    static let keySet = JSONLimits(bytes: 1 << 20, depth: 10, members: JWKSet.maximumCount * 2)
}
