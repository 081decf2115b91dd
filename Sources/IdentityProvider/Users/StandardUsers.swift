import Primitives

/// The users that are there without any configuration. The password of each is his name.
package enum StandardUsers {
    package static func all() throws(ProviderConfigurationError) -> [User] {
        [
            try user("alice", "Alice", "Adams", locale: "en", groups: ["admin", "staff"]),
            try user("bob", "Bob", "Brown", locale: "en", groups: ["staff"]),
            try user("minji", "Minji", "Kim", locale: "ko", groups: []),
            try user("haruto", "Haruto", "Sato", locale: "ja", groups: []),
        ]
    }

    private static func user(
        _ username: String, _ givenName: String, _ familyName: String, locale: String, groups: [String]
    ) throws(ProviderConfigurationError) -> User {
        let claims: JSONObject = [
            "name": .string("\(givenName) \(familyName)"),
            "given_name": .string(givenName),
            "family_name": .string(familyName),
            "preferred_username": .string(username),
            "locale": .string(locale),
            "zoneinfo": "Etc/UTC",
            "updated_at": 1_700_000_000,
            "email": .string("\(username)@example.com"),
            "email_verified": true,
            "phone_number": "+1 555 0100",
            "phone_number_verified": false,
            "address": ["formatted": "1 Example Street, Exampleton", "country": "EX"],
            "groups": .array(groups.map { .string($0) }),
        ]
        return try User(username: username, password: Secret(utf8: username), claims: claims)
    }
}
