/// The claims that OpenID Connect names, and the scopes that stand for them (OpenID Connect Core sections 5.1 and 5.4).
enum StandardClaims {
    static let byScope: [(scope: String, claims: [String])] = [
        (
            "profile",
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]),
        ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    private static let scopes: [String: String] = Dictionary(
        uniqueKeysWithValues: byScope.flatMap { entry in entry.claims.map { ($0, entry.scope) } })

    /// The scope that stands for a claim, in whatever language it is (OpenID Connect Core section 5.2: `name#ja`); `nil`
    /// for claims that no standard scope stands for.
    static func scope(of claim: String) -> String? { scopes[String(claim.prefix { $0 != "#" })] }
}
