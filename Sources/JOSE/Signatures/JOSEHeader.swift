import Primitives

/// The header of one signature: the union of its protected and its unprotected parameters (RFC 7515 section 4).
///
/// What stands in a header was chosen by whoever wrote the object. `jwk`, `jku`, `x5u` and `x5c` can be read like any
/// other parameter, and nothing here ever takes a key from them.
package struct JOSEHeader: Sendable, Equatable {
    /// The parameters that the signature covers.
    package let protected: JSONObject
    /// The parameters that anybody on the way may have changed.
    package let unprotected: JSONObject

    /// `alg` as it stands there: a name that may be unknown here, never `none`.
    package let algorithmName: String
    package let keyID: String?
    package let type: String?
    package let contentType: String?
    /// RFC 7797 section 3: false if the payload is signed as it is rather than in Base64URL.
    package let isPayloadEncoded: Bool
    /// Whether every extension that `crit` lists is understood here.
    let understandsCritical: Bool

    /// Checks the rules for headers. Whether the algorithm is known and `crit` understood is decided when the
    /// signature is verified: one signature of several that cannot be judged does not spoil the others.
    package init(protected: JSONObject, unprotected: JSONObject = [:]) throws(JWSError) {
        guard !(protected.isEmpty && unprotected.isEmpty) else { throw .headerMissing }
        // RFC 7515 section 4: the Header Parameter names in the two locations MUST be disjoint.
        if !protected.isEmpty {
            for (name, _) in unprotected where protected[name] != nil { throw .parameterInBothHeaders }
        }
        self.protected = protected
        self.unprotected = unprotected

        func text(_ name: String) throws(JWSError) -> String? {
            guard let value = protected[name] ?? unprotected[name] else { return nil }
            guard let text = value.string else { throw .parameterOfWrongType(name) }
            return text
        }
        // RFC 7515 section 4.1.1: alg MUST be present.
        guard let algorithm = try text("alg") else { throw .algorithmMissing }
        // RFC 8725 section 3.2: none is refused, and so is every spelling that somebody might take for it.
        if algorithm.utf8.count == 4, algorithm.lowercased() == "none" { throw .unsecured }
        algorithmName = algorithm
        keyID = try text("kid")
        type = try text("typ")
        contentType = try text("cty")
        let critical = try Self.criticalNames(protected: protected, unprotected: unprotected)
        understandsCritical = critical.allSatisfy { sameText($0, "b64") }
        isPayloadEncoded = try Self.isPayloadEncoded(
            protected: protected, unprotected: unprotected, critical: critical)
    }

    /// The parameter of that name, protected or not.
    package subscript(name: String) -> JSON? { protected[name] ?? unprotected[name] }

    /// The algorithm, if it is one of this module's.
    package var algorithm: SignatureAlgorithm? { SignatureAlgorithm(named: algorithmName) }
}

extension JOSEHeader {
    /// The parameters that RFC 7515 section 4.1 defines for JWS, which `crit` must not list.
    private static let registeredNames = [
        "alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit",
    ]

    /// RFC 7515 section 4.1.11: `crit` MUST be integrity protected, MUST NOT be the empty list, MUST NOT contain names
    /// that the standard defines, duplicates, or names that do not occur in the header.
    private static func criticalNames(
        protected: JSONObject, unprotected: JSONObject
    ) throws(JWSError) -> [String] {
        if unprotected["crit"] != nil { throw .criticalUnprotected }
        guard let value = protected["crit"] else { return [] }
        guard let elements = value.array else { throw .criticalMalformed }
        guard !elements.isEmpty else { throw .criticalEmpty }
        var names: [String] = []
        for element in elements {
            guard let name = element.string else { throw .criticalMalformed }
            if names.contains(where: { sameText($0, name) }) { throw .criticalRepeated }
            if registeredNames.contains(where: { sameText($0, name) }) { throw .criticalNamesRegistered }
            if protected[name] == nil, unprotected[name] == nil { throw .criticalNamesAbsent }
            names.append(name)
        }
        return names
    }

    /// RFC 7797 section 3: `b64` is a Boolean and MUST be integrity protected; section 6: when it is false, `crit` MUST
    /// list it, so that a reader who does not know it refuses the object.
    private static func isPayloadEncoded(
        protected: JSONObject, unprotected: JSONObject, critical: [String]
    ) throws(JWSError) -> Bool {
        if unprotected["b64"] != nil { throw .b64Unprotected }
        guard let value = protected["b64"] else { return true }
        guard let isEncoded = value.bool else { throw .parameterOfWrongType("b64") }
        guard isEncoded || critical.contains(where: { sameText($0, "b64") }) else { throw .b64NotCritical }
        return isEncoded
    }
}

extension JOSEHeader {
    /// Reads a protected header from its Base64URL text. Refuses a member named twice (RFC 7515 section 4).
    static func decodeProtected(_ text: Span<UInt8>, limits: JWSLimits) throws(JWSError) -> JSONObject {
        guard text.count > 0 else { throw .empty(.header) }
        // Four characters carry three bytes.
        guard text.count * 3 / 4 <= limits.headerBytes else { throw .headerTooLarge(limitInBytes: limits.headerBytes) }
        let bytes: [UInt8]
        do { bytes = try Base64URL.decode(text) } catch { throw .notBase64URL(.header) }
        let json: JSON
        do { json = try JSON(parsing: bytes.span, limits: .joseHeader) } catch { throw .headerMalformed(error) }
        guard case .object(let object) = json else { throw .headerNotAnObject }
        return object
    }
}

extension JSONLimits {
    /// A header is flat but for `jwk` and what extensions bring.
    static let joseHeader = JSONLimits(depth: 8, members: 100)
}

extension SignatureAlgorithm {
    /// The algorithm of exactly that name: names are case sensitive (RFC 7515 section 4.1.1).
    package init?(named name: String) {
        guard let found = Self.allCases.first(where: { sameText($0.rawValue, name) }) else { return nil }
        self = found
    }
}
