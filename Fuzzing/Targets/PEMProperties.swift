import Crypto
import Primitives

/// A key that is read is written in each of its formats and reads back the same.
///
/// An input is tried as PEM text, and as the DER inside one: its first byte chooses the label, the rest is encoded. That
/// lets the fuzzer change the bytes that the reader of DER sees, which it hardly can through Base64.
enum PEMProperties {
    private static let labels = [
        "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY",
    ]

    static func check(_ input: Span<UInt8>) {
        checkText(input)
        guard input.count > 1, input[0] < labels.count else { return }
        let label = labels[Int(input[0])]
        var text = "-----BEGIN \(label)-----\n"
        var rest = Substring(Base64.encode(input.extracting(1..<input.count)))
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        checkText((text + "-----END \(label)-----\n").utf8.span)
    }

    private static func checkText(_ input: Span<UInt8>) {
        let privateKey = try? PrivateKey(pem: input, allowing: .shortRSAKeys)
        let publicKey = try? PublicKey(pem: input, allowing: .shortRSAKeys)
        require(privateKey == nil || publicKey == nil, "no text is a private and a public key")
        if let privateKey {
            check(privateKey)
            check(privateKey.publicKey)
        }
        if let publicKey { check(publicKey) }
    }

    private static func check(_ key: PrivateKey) {
        for format in PrivateKey.PEMFormat.allCases {
            guard let text = try? key.pem(format) else {
                require(format != .pkcs8, "every private key is written as PKCS#8")
                continue
            }
            let bytes = text.withBytes { Array($0) }
            guard let again = try? PrivateKey(pem: bytes.span, allowing: .shortRSAKeys) else {
                return require(false, "a written private key is read")
            }
            require(again.kind == key.kind, "a private key keeps its kind")
            require(again.publicKey == key.publicKey, "a private key keeps its public half")
            require((try? again.pem(format)) == text, "a private key is written the same again")
        }
    }

    private static func check(_ key: PublicKey) {
        for format in PublicKey.PEMFormat.allCases {
            guard let text = try? key.pem(format) else {
                require(format != .subjectPublicKeyInfo, "every public key is written as SubjectPublicKeyInfo")
                continue
            }
            guard let again = try? PublicKey(pem: text, allowing: .shortRSAKeys) else {
                return require(false, "a written public key is read")
            }
            require(again == key && again.kind == key.kind, "a public key reads back the same")
            require((try? again.pem(format)) == text, "a public key is written the same again")
        }
    }
}
