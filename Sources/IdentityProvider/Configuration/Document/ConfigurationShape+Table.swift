import OAuth
import Primitives

/// The shapes of the larger values.
extension ConfigurationShape {
    /// Stands in the place of a secret that is printed.
    package static let redacted = "<redacted>"

    /// Users, and clients, of one provider.
    static let maximumCount = 10_000
    static let maximumTenantCount = 1000

    /// A secret, or where it is kept.
    static let secret = named(
        "secret",
        either([
            text(.plain),
            record([ConfigurationField("env", text(.variable), "The variable that holds it.", isRequired: true)]),
            record([
                ConfigurationField(
                    "file", text(.plain),
                    "The file that holds it; relative to this one. A line break at its end is left out.",
                    isRequired: true)
            ]),
        ]))

    /// RFC 7517 section 5. What is not of a known type is passed over, and one at least has to be left.
    static let keySet = named(
        "key_set",
        also(
            object,
            [
                "required": ["keys"],
                "patternProperties": [
                    "^keys$": ["type": "array", "items": ["type": "object"], "contains": ["required": ["kty"]]]
                ],
            ]))

    static let user = named(
        "user",
        record([
            ConfigurationField("username", text(.username), "What the user types.", isRequired: true),
            ConfigurationField("id", text(.subject), "The sub of his tokens. Left out: the username."),
            ConfigurationField("password", secret, "Left out, any password will do."),
            ConfigurationField(
                "claims", object, "What is known of him (OpenID Connect Core section 5.1, and any others)."),
        ]))

    static let maximumTextCount = 64

    /// Who there is.
    static let people: [ConfigurationField] = [
        ConfigurationField(
            "users", list(user, count: 0...maximumCount), "Who can log in. Left out: alice, bob, minji and haruto."),
        ConfigurationField(
            "standard_users", flag, "true: the standard users are there beside these. false: without users, nobody is."),
        ConfigurationField(
            "clients", list(client, count: 0...maximumCount), "Applications. Left out: web, native and service."),
        ConfigurationField(
            "standard_clients", flag,
            "true: the standard clients are there beside these. false: without clients, there is none."),
    ]

    static let tenant = named("tenant", record(ConfigurationMember.policies.map(\.field) + people))

    static let document = record(
        [
            ConfigurationField("$schema", text(.plain), "For editors; nothing is done with it.")
        ] + ConfigurationMember.rootOnly.map(\.field) + ConfigurationMember.policies.map(\.field) + people + [
            ConfigurationField(
                "tenants", map(.tenantName, tenant, most: maximumTenantCount),
                "Providers of their own at /t/NAME. What one does not say is as at the root.")
        ])
}
