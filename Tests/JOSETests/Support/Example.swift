import Foundation
import JOSE
import Primitives
import TestSupport
import Testing

/// A signed object out of an RFC, with the keys to verify it.
struct Example: Sendable, CustomTestStringConvertible {
    enum Form: String, CaseIterable, Sendable {
        case compact, flattened, general
    }

    let section: String
    let keys: [JWK]
    let algorithms: [SignatureAlgorithm]
    let payload: [UInt8]
    let protected: JSONObject?
    let unprotected: JSONObject?
    let isDetached: Bool
    let isDeterministic: Bool
    let texts: [Form: JSON]

    init(_ json: JSON) throws {
        section = try #require(json["section"]?.string)
        keys = try (json["keys"]?.array ?? []).map { try JWK(json: $0) }
        algorithms = (json["algorithms"]?.array ?? []).compactMap { $0.string.flatMap(SignatureAlgorithm.init(named:)) }
        payload = try Base64URL.decode(try #require(json["payload"]?.string))
        protected = json["protected"]?.object
        unprotected = json["unprotected"]?.object
        isDetached = json["isDetached"]?.bool ?? false
        isDeterministic = json["isDeterministic"]?.bool ?? false
        var texts: [Form: JSON] = [:]
        for form in Form.allCases { texts[form] = json[form.rawValue] }
        self.texts = texts
    }

    var testDescription: String { section }

    var verificationKeys: VerificationKeySet {
        get throws {
            VerificationKeySet(try zip(keys, algorithms).map { try VerificationKey($0, algorithm: $1) })
        }
    }

    func read(_ form: Form) throws -> UnverifiedJWS? {
        guard let text = texts[form] else { return nil }
        let detached = isDetached ? payload : nil
        return switch form {
        case .compact: try UnverifiedJWS(compact: try #require(text.string), detachedPayload: detached)
        case .flattened, .general: try UnverifiedJWS(json: text.text(), detachedPayload: detached)
        }
    }

    static func file(_ name: String) throws -> JSON {
        let bytes = [UInt8](try Data(contentsOf: Repository.fixture("jose/\(name).json")))
        return try JSON(parsing: bytes.span)
    }

    static let all: [Example] = try! ["rfc7515", "rfc7520", "rfc7797", "rfc8037"].flatMap { name in
        try (file(name)["accepted"]?.array ?? []).map { try Example($0) }
    }
}
