import Primitives

extension UnverifiedJWS {
    /// Reads the general or the flattened JSON serialisation (RFC 7515 section 7.2), whichever it is.
    package init(
        json text: Span<UInt8>, detachedPayload: [UInt8]? = nil, limits: JWSLimits = .standard
    ) throws(JWSError) {
        guard text.count <= limits.objectBytes else { throw .tooLarge(limitInBytes: limits.objectBytes) }
        let json: JSON
        do {
            json = try JSON(
                parsing: text, limits: JSONLimits(bytes: limits.objectBytes, depth: 16, stringBytes: limits.objectBytes)
            )
        } catch { throw .malformed(error) }
        guard case .object(let object) = json else { throw .notAnObject }
        try self.init(json: object, detachedPayload: detachedPayload, limits: limits)
    }

    /// Reads the general or the flattened JSON serialisation.
    package init(
        json text: String, detachedPayload: [UInt8]? = nil, limits: JWSLimits = .standard
    ) throws(JWSError) {
        try self.init(json: text.utf8.span, detachedPayload: detachedPayload, limits: limits)
    }

    /// Members that are not known are ignored (RFC 7515 section 7.2.1).
    private init(json object: JSONObject, detachedPayload: [UInt8]?, limits: JWSLimits) throws(JWSError) {
        let parts = try Self.signatureMembers(of: object, limits: limits)
        var read: [(header: JOSEHeader, protectedText: [UInt8], value: [UInt8])] = []
        for part in parts { try read.append(Self.readSignature(part, limits: limits)) }

        // RFC 7797 section 3: with several signatures, b64 MUST be the same for all of them.
        let isEncoded = read[0].header.isPayloadEncoded
        guard read.allSatisfy({ $0.header.isPayloadEncoded == isEncoded }) else { throw .b64Differs }

        let attached = try Self.text("payload", of: object)
        let content = try PayloadText(
            attached.map { [UInt8]($0.utf8) }, detached: detachedPayload, isEncoded: isEncoded)
        self.init(
            signatures: read.map { part in
                Signature(
                    header: part.header,
                    signingInput: part.protectedText + [UInt8(ascii: ".")] + content.text,
                    value: part.value
                )
            },
            payload: content.payload
        )
    }

    /// The objects that carry `protected`, `header` and `signature`: the top level of the flattened form, the elements
    /// of `signatures` of the general one. RFC 7515 section 7.2.2: never both.
    private static func signatureMembers(of object: JSONObject, limits: JWSLimits) throws(JWSError) -> [JSONObject] {
        guard let signatures = object["signatures"] else { return [object] }
        guard object["signature"] == nil, object["protected"] == nil, object["header"] == nil else {
            throw .flattenedAndGeneral
        }
        guard let elements = signatures.array else { throw .memberOfWrongType("signatures") }
        guard !elements.isEmpty else { throw .noSignatures }
        guard elements.count <= limits.signatures else { throw .tooManySignatures(limit: limits.signatures) }
        var objects: [JSONObject] = []
        for element in elements {
            guard let object = element.object else { throw .memberOfWrongType("signatures") }
            objects.append(object)
        }
        return objects
    }

    private static func readSignature(
        _ object: JSONObject, limits: JWSLimits
    ) throws(JWSError) -> (header: JOSEHeader, protectedText: [UInt8], value: [UInt8]) {
        let protectedText = try text("protected", of: object).map { [UInt8]($0.utf8) }
        let protected = try protectedText.map { text throws(JWSError) in
            try JOSEHeader.decodeProtected(text.span, limits: limits)
        }
        var unprotected: JSONObject = [:]
        if let member = object["header"] {
            guard let header = member.object else { throw .memberOfWrongType("header") }
            unprotected = header
        }
        guard let signature = try text("signature", of: object) else { throw .missingMember("signature") }
        return (
            try JOSEHeader(protected: protected ?? [:], unprotected: unprotected),
            protectedText ?? [],
            try decodeSignature(signature.utf8.span)
        )
    }

    private static func text(_ name: String, of object: JSONObject) throws(JWSError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw .memberOfWrongType(name) }
        return text
    }
}
