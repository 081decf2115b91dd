import Primitives

extension UnverifiedJWS {
    /// Reads the compact serialisation (RFC 7515 section 7.1): header, payload and signature with a full stop between.
    ///
    /// The payload's segment is empty if, and only if, the content comes detached (RFC 7515 appendix F).
    package init(
        compact text: Span<UInt8>, detachedPayload: [UInt8]? = nil, limits: JWSLimits = .standard
    ) throws(JWSError) {
        guard text.count <= limits.objectBytes else { throw .tooLarge(limitInBytes: limits.objectBytes) }
        let (first, second) = try Self.separators(in: text)
        let header = try JOSEHeader(
            protected: JOSEHeader.decodeProtected(text.extracting(0..<first), limits: limits))

        let segment = text.extracting(first + 1..<second)
        let content = try PayloadText(
            segment.count > 0 ? segment.bytes() : nil,
            detached: detachedPayload,
            isEncoded: header.isPayloadEncoded
        )
        if segment.count > 0, !header.isPayloadEncoded { try content.requireCompactCharacters() }

        let signature = try Self.decodeSignature(text.extracting(second + 1..<text.count))
        let signingInput =
            detachedPayload == nil
            ? text.extracting(0..<second).bytes()
            : text.extracting(0...first).bytes() + content.text
        self.init(
            signatures: [Signature(header: header, signingInput: signingInput, value: signature)],
            payload: content.payload
        )
    }

    /// Reads the compact serialisation.
    package init(
        compact text: String, detachedPayload: [UInt8]? = nil, limits: JWSLimits = .standard
    ) throws(JWSError) {
        try self.init(compact: text.utf8.span, detachedPayload: detachedPayload, limits: limits)
    }

    /// Where the two full stops are.
    private static func separators(in text: Span<UInt8>) throws(JWSError) -> (Int, Int) {
        var found = (-1, -1)
        var count = 0
        for index in text.indices where text[index] == UInt8(ascii: ".") {
            count += 1
            if count == 1 { found.0 = index } else { found.1 = index }
        }
        guard count == 2 else { throw .wrongNumberOfSegments }
        return found
    }

    static func decodeSignature(_ text: Span<UInt8>) throws(JWSError) -> [UInt8] {
        guard text.count > 0 else { throw .empty(.signature) }
        do { return try Base64URL.decode(text) } catch { throw .notBase64URL(.signature) }
    }
}
