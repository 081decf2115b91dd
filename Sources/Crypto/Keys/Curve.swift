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
