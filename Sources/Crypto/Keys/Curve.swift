/// An elliptic curve of FIPS 186-4, as RFC 7518 section 6.2.1.1 names them.
package enum Curve: Sendable, CaseIterable {
    case p256, p384, p521

    /// The length of a coordinate, of a private scalar, and of each half of a signature.
    package var fieldByteCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// What OpenSSL calls it.
    var groupName: StaticString {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }

    /// How many points there are, most significant byte first and as long as a coordinate (SEC 2 section 2).
    var order: [UInt8] {
        switch self {
        case .p256: Self.p256Order
        case .p384: Self.p384Order
        case .p521: Self.p521Order
        }
    }

    private static let p256Order = CurveGroup(.p256).order
    private static let p384Order = CurveGroup(.p384).order
    private static let p521Order = CurveGroup(.p521).order
}

extension Curve: CustomStringConvertible {
    package var description: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}
