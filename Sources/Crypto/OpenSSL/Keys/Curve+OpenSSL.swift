#if !canImport(CryptoKit)
extension Curve {
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
#endif
