import Crypto
import Foundation
import TestSupport

/// The keys under Fixtures/keys.
enum Fixture {
    static let keyNames = ["rsa-2048", "rsa-3072", "rsa-4096", "ec-p256", "ec-p384", "ec-p521", "ed25519"]

    static func text(_ name: String) throws -> String {
        try String(contentsOf: Repository.fixture("keys/\(name).pem"), encoding: .utf8)
    }

    static func privateKey(_ name: String) throws -> PrivateKey {
        try PrivateKey(pem: text("\(name).pkcs8"))
    }

    /// The bytes inside a PEM block.
    static func der(_ name: String) throws -> [UInt8] {
        let body = try text(name).split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return Array(Data(base64Encoded: body)!)
    }

    /// A PEM block around the bytes.
    static func pem(_ label: String, _ der: [UInt8]) -> String {
        let body = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }
}

extension SignatureScheme {
    static let all: [SignatureScheme] =
        HashFunction.allCases.flatMap { [.rsaPKCS1($0), .rsaPSS($0)] } + [
            .ecdsa(.p256, .sha256), .ecdsa(.p384, .sha384), .ecdsa(.p521, .sha512), .ed25519,
        ]

    /// A fixture that it works with.
    var keyName: String {
        switch self {
        case .rsaPKCS1, .rsaPSS: "rsa-2048"
        case .ecdsa(.p256, _): "ec-p256"
        case .ecdsa(.p384, _): "ec-p384"
        case .ecdsa(.p521, _): "ec-p521"
        case .ed25519: "ed25519"
        }
    }
}
