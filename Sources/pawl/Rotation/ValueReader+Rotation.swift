import IdentityProvider

extension ValueReader where Value == RotationPolicy {
    /// A profile, and the knobs that are turned.
    static let rotation: Self = {
        var reader = Self(
            "POLICY", expecting: "a rotation policy such as okta or okta,window=5s",
            completion: .oneOf(RotationPolicy.profileNames)
        ) { try? RotationPolicy(parsing: $0) }
        reader.explain = { text in
            do throws(RotationPolicy.TextError) {
                _ = try RotationPolicy(parsing: text)
                return nil
            } catch {
                return error.description
            }
        }
        return reader
    }()
}
