import IdentityProvider
import Primitives

/// People of whom every standard claim is known (OpenID Connect Core section 5.1), as the foundation's suite wants them.
enum ConformanceUsers {
    static let claimsOfScope: [String: Set<String>] = [
        "profile": [
            "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
            "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
        ],
        "email": ["email", "email_verified"],
        "address": ["address"],
        "phone": ["phone_number", "phone_number_verified"],
    ]

    static func all() throws -> [User] { try ["alice", "bob"].map(user) }

    private static func user(_ username: String) throws -> User {
        try User(
            username: username, password: Secret(utf8: username),
            claims: [
                "name": .string("\(username) Middle Example"), "given_name": .string(username),
                "family_name": "Example", "middle_name": "Middle", "nickname": "Nick",
                "preferred_username": .string(username), "profile": "https://people.example/profile",
                "picture": "https://people.example/picture.png", "website": "https://people.example/",
                "gender": "female", "birthdate": "2000-02-29", "zoneinfo": "Europe/Berlin", "locale": "en-GB",
                "updated_at": 1_690_000_000, "email": .string("\(username)@people.example"), "email_verified": true,
                "address": ["formatted": "1 Example Street", "country": "EX"], "phone_number": "+1 555 0100",
                "phone_number_verified": false,
            ])
    }
}
