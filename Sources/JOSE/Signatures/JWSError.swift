import Crypto
import Primitives

/// Why a signed object was refused, or could not be made.
///
/// Names header parameters, segments and limits, never a value out of the object: what was refused may be somebody's
/// valid token, and errors end up in logs.
package enum JWSError: Error, Sendable, Equatable {
    /// The parts of the serialisations (RFC 7515 section 3).
    package enum Part: String, Sendable, Hashable {
        case header, payload, signature
    }

    // What it looks like.
    case tooLarge(limitInBytes: Int)
    case headerTooLarge(limitInBytes: Int)
    case tooManySignatures(limit: Int)
    case wrongNumberOfSegments
    case empty(Part)
    case notBase64URL(Part)
    /// The JSON serialisation is not JSON.
    case malformed(JSONError)
    case notAnObject
    case missingMember(String)
    case memberOfWrongType(String)
    /// RFC 7515 section 7.2.2: `signatures` must not be present in the flattened form.
    case flattenedAndGeneral
    case noSignatures
    /// The content came both inside the object and detached.
    case payloadGivenTwice

    // The header.
    case headerMalformed(JSONError)
    case headerNotAnObject
    case headerMissing
    /// RFC 7515 section 4: the names in the protected and in the unprotected header must be disjoint.
    case parameterInBothHeaders
    case parameterOfWrongType(String)
    case algorithmMissing
    /// `none`, however it is spelt (RFC 7515 section 6, RFC 8725 section 3.2).
    case unsecured
    case criticalMalformed
    case criticalEmpty
    case criticalRepeated
    case criticalNamesRegistered
    case criticalNamesAbsent
    case criticalUnprotected
    case criticalNotUnderstood

    // The unencoded payload of RFC 7797.
    case b64Unprotected
    case b64NotCritical
    case b64Differs
    case payloadNotSerialisable

    /// RFC 7515 section 7.1: the compact serialisation has a protected header and no other.
    case compactTakesProtectedHeaderOnly

    // The signature.
    case algorithmNotSupported
    case algorithmNotBoundToKey
    case keyIDMismatch
    case noKey
    case signatureInvalid
    /// Not the length that the algorithm and the key give every signature: cut short, or in another form, such as DER.
    case signatureOfWrongLength(expectedByteCount: Int)
    case signingFailed(CryptoError)
}

extension JWSError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "the signed object is larger than \(limit) bytes"
        case .headerTooLarge(let limit): "the header is larger than \(limit) bytes"
        case .tooManySignatures(let limit): "there are more than \(limit) signatures"
        case .wrongNumberOfSegments: "a compact JWS has three segments"
        case .empty(let part): "the \(part.rawValue) is empty"
        case .notBase64URL(let part): "the \(part.rawValue) is not canonical Base64URL"
        case .malformed(let error): "the signed object is not acceptable JSON: \(error)"
        case .notAnObject: "a JWS in JSON must be an object"
        case .missingMember(let name): "the signed object has no \(name)"
        case .memberOfWrongType(let name): "the \(name) of the signed object has the wrong JSON type"
        case .flattenedAndGeneral: "the signed object has both signature and signatures"
        case .noSignatures: "the signed object has no signatures"
        case .payloadGivenTwice: "the signed object has a payload, and a detached one was given"
        case .headerMalformed(let error): "the header is not acceptable JSON: \(error)"
        case .headerNotAnObject: "the header is not a JSON object"
        case .headerMissing: "there is neither a protected nor an unprotected header"
        case .parameterInBothHeaders: "a header parameter is both protected and unprotected"
        case .parameterOfWrongType(let name): "the header's \(name) has the wrong JSON type"
        case .algorithmMissing: "the header has no alg"
        case .unsecured: "unsecured objects (alg none) are not accepted"
        case .criticalMalformed: "the header's crit is not an array of names"
        case .criticalEmpty: "the header's crit is empty"
        case .criticalRepeated: "the header's crit has a name twice"
        case .criticalNamesRegistered: "the header's crit has a name that the standard itself defines"
        case .criticalNamesAbsent: "the header's crit has a name that the header does not have"
        case .criticalUnprotected: "the header's crit is not integrity protected"
        case .criticalNotUnderstood: "the header's crit has an extension that is not understood"
        case .b64Unprotected: "the header's b64 is not integrity protected"
        case .b64NotCritical: "the header's b64 is false and not listed in crit"
        case .b64Differs: "the signatures differ in b64"
        case .payloadNotSerialisable: "the unencoded payload has characters that this serialisation cannot carry"
        case .compactTakesProtectedHeaderOnly: "the compact serialisation has a protected header and no other"
        case .algorithmNotSupported: "the algorithm is not supported"
        case .algorithmNotBoundToKey: "the algorithm is not the one that the key is bound to"
        case .keyIDMismatch: "the kid is not the key's"
        case .noKey: "no key fits the kid and the algorithm"
        case .signatureInvalid: "the signature is not valid"
        case .signatureOfWrongLength(let expected):
            "the signature does not have the \(expected) bytes that its algorithm and key prescribe"
        case .signingFailed(let error): "signing failed: \(error)"
        }
    }
}
