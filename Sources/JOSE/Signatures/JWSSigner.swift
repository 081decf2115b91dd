import Primitives

/// Makes signed objects of any content, in every serialisation of RFC 7515.
///
///     let signer = try JWSSigner(key: key, protected: ["typ": "example"])
///     let compact = try signer.compact(payload)
package struct JWSSigner: Sendable {
    /// Whether the object carries its content.
    package enum Content: Sendable, Hashable {
        case attached
        /// RFC 7515 appendix F: the reader has the content from somewhere else.
        case detached
    }

    private let key: SigningKey
    private let header: JOSEHeader
    /// The protected header in Base64URL; empty if there is none.
    private let protectedText: [UInt8]

    /// The header has `alg` and `kid` of the key.
    package init(key: SigningKey) throws(JWSError) {
        try self.init(key: key, protected: ["kid": .string(key.keyID)])
    }

    /// The header has these parameters in this order; `alg`, if it is in neither part, is put first. RFC 7797: `b64`
    /// false, which `crit` must list, leaves the payload unencoded.
    package init(key: SigningKey, protected: JSONObject, unprotected: JSONObject = [:]) throws(JWSError) {
        var parameters = protected
        if protected["alg"] == nil, unprotected["alg"] == nil {
            parameters = ["alg": .string(key.algorithm.name)]
            for (name, value) in protected { parameters[name] = value }
        }
        header = try JOSEHeader(protected: parameters, unprotected: unprotected)
        guard header.algorithm == key.algorithm else { throw .algorithmNotBoundToKey }
        guard header.understandsCritical else { throw .criticalNotUnderstood }
        self.key = key
        var text: [UInt8] = []
        if !parameters.isEmpty { Base64URL.append(JSON.object(parameters).serialised().span, to: &text) }
        protectedText = text
    }

    /// RFC 7515 section 7.1. There is no place for unprotected parameters, nor for unencoded content with a full stop.
    package func compact(_ payload: [UInt8], content: Content = .attached) throws(JWSError) -> String {
        guard header.unprotected.isEmpty else { throw .compactTakesProtectedHeaderOnly }
        let form = PayloadText(payload: payload, isEncoded: header.isPayloadEncoded)
        if !header.isPayloadEncoded, content == .attached { try form.requireCompactCharacters() }
        var text = protectedText
        text.append(UInt8(ascii: "."))
        text += form.text
        let signature = try key.sign(text.span)
        if content == .detached { text.removeLast(form.text.count) }
        text.append(UInt8(ascii: "."))
        Base64URL.append(signature.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// RFC 7515 section 7.2.2.
    package func flattened(_ payload: [UInt8], content: Content = .attached) throws(JWSError) -> JSONObject {
        let form = PayloadText(payload: payload, isEncoded: header.isPayloadEncoded)
        var object = try Self.payloadMember(form, header: header, content: content)
        for (name, value) in try signatureMembers(over: form) { object[name] = value }
        return object
    }

    /// RFC 7515 section 7.2.1: one payload under the signatures of several signers.
    package static func general(
        _ payload: [UInt8], signers: [JWSSigner], content: Content = .attached
    ) throws(JWSError) -> JSONObject {
        guard let first = signers.first else { throw .noSignatures }
        let isEncoded = first.header.isPayloadEncoded
        guard signers.allSatisfy({ $0.header.isPayloadEncoded == isEncoded }) else { throw .b64Differs }
        let form = PayloadText(payload: payload, isEncoded: isEncoded)
        var object = try payloadMember(form, header: first.header, content: content)
        var signatures: [JSON] = []
        for signer in signers { signatures.append(.object(try signer.signatureMembers(over: form))) }
        object["signatures"] = .array(signatures)
        return object
    }

    /// RFC 7797 section 5.3: unencoded content becomes a JSON string, so it must be UTF-8.
    private static func payloadMember(
        _ form: PayloadText, header: JOSEHeader, content: Content
    ) throws(JWSError) -> JSONObject {
        guard content == .attached else { return [:] }
        guard let text = String(validating: form.text, as: UTF8.self) else { throw .payloadNotSerialisable }
        return ["payload": .string(text)]
    }

    private func signatureMembers(over form: PayloadText) throws(JWSError) -> JSONObject {
        var members: JSONObject = [:]
        if !protectedText.isEmpty { members["protected"] = .string(String(decoding: protectedText, as: UTF8.self)) }
        if !header.unprotected.isEmpty { members["header"] = .object(header.unprotected) }
        let signature = try key.sign((protectedText + [UInt8(ascii: ".")] + form.text).span)
        members["signature"] = .string(Base64URL.encode(signature))
        return members
    }
}
