/// The AlgorithmIdentifier of a key (RFC 5280 section 4.1.1.2): which kind of key the bytes beside it are.
enum KeyAlgorithm: Equatable {
    case rsa
    case ec(Curve)
    case ed25519

    init(_ reader: inout DERReader) throws(CryptoError) {
        var identifier = try reader.inside(.sequence, reading: "the algorithm of the key")
        let name = Array(try identifier.content(.objectIdentifier))
        switch name {
        case Self.rsaEncryption:
            // RFC 3279 section 2.3.1: the parameters MUST be NULL.
            guard try identifier.content(.null).isEmpty else { throw identifier.failure("a NULL with content") }
            self = .rsa
        case Self.ecPublicKey:
            self = .ec(try Self.curve(&identifier))
        case Self.ed25519Identifier:
            // RFC 8410 section 3: the parameters MUST be absent.
            self = .ed25519
        default:
            throw .unsupportedKeyType(Self.unsupported[name] ?? "unknown")
        }
        try identifier.requireEnd()
    }

    /// RFC 5480 section 2.1.1: the parameters name the curve; explicit parameters MUST NOT be used.
    static func curve(_ reader: inout DERReader) throws(CryptoError) -> Curve {
        guard !reader.isNext(.sequence) else { throw .explicitCurveParameters }
        let name = Array(try reader.content(.objectIdentifier))
        guard let curve = Curve.allCases.first(where: { $0.objectIdentifier == name }) else {
            throw .unsupportedCurve(unsupportedCurves[name] ?? "unknown")
        }
        return curve
    }

    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let ed25519Identifier: [UInt8] = [0x2B, 0x65, 0x70]

    /// What people do come with, to be called by its name.
    private static let unsupported: [[UInt8]: String] = [
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]: "RSASSA-PSS",
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x07]: "RSAES-OAEP",
        [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01]: "DSA",
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01]: "DH",
        [0x2A, 0x86, 0x48, 0xCE, 0x3E, 0x02, 0x01]: "DH",
        [0x2B, 0x81, 0x04, 0x01, 0x0C]: "ECDH only",
        [0x2B, 0x65, 0x6E]: "X25519",
        [0x2B, 0x65, 0x6F]: "X448",
        [0x2B, 0x65, 0x71]: "Ed448",
    ]

    private static let unsupportedCurves: [[UInt8]: String] = [
        [0x2B, 0x81, 0x04, 0x00, 0x0A]: "secp256k1",
        [0x2B, 0x81, 0x04, 0x00, 0x21]: "P-224",
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x01]: "P-192",
        [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07]: "brainpoolP256r1",
        [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0B]: "brainpoolP384r1",
        [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0D]: "brainpoolP512r1",
        [0x2A, 0x81, 0x1C, 0xCF, 0x55, 0x01, 0x82, 0x2D]: "SM2",
    ]
}

extension Curve {
    /// RFC 5480 section 2.1.1.1.
    fileprivate var objectIdentifier: [UInt8] {
        switch self {
        case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
        }
    }
}
