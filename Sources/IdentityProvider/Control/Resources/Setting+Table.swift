import JOSE
import Primitives

extension Setting {
    /// Everything that can be changed while the provider runs; one line each.
    static let all: [Setting] = [
        choice("access_tokens.alg", \.accessTokens.algorithm),
        lifetime("access_tokens.lifetime", \.accessTokens.lifetime),
        audience,
        choice("id_tokens.alg", \.idTokens.algorithm),
        lifetime("id_tokens.lifetime", \.idTokens.lifetime),
        choice("id_tokens.user_claims", \.idTokens.userClaims),
        lifetime("lifetimes.authorization_code", \.lifetimes.authorizationCode),
        lifetime("lifetimes.refresh_token", \.lifetimes.refreshTokens, "From the authorisation on."),
        lifetime("lifetimes.login", \.lifetimes.login),
        lifetime("lifetimes.interaction", \.lifetimes.interaction),
        lifetime("lifetimes.pushed_request", \.lifetimes.pushedRequest),
        lifetime("lifetimes.device_code", \.lifetimes.deviceCode),
        lifetime("lifetimes.assertion", \.lifetimes.assertion),
        choice("rotation", \.rotation, "What becomes of a refresh token that is presented."),
        allowances,
        legacy,
        choice("sign_in.page", \.signIn.page),
        count("sign_in.failures_allowed", \.signIn.failuresAllowed, in: 1...1_000_000),
        lifetime("sign_in.failure_window", \.signIn.failureWindow),
        registration,
        choice("dpop.nonce", \.proofs.nonce, "Whether proofs must carry a nonce (RFC 9449 section 8)."),
        lifetime("dpop.leeway", \.proofs.leeway),
        lifetime("dpop.nonce_lifetime", \.proofs.nonceLifetime),
        texts("acr_values", \.contextClasses, "Values of `acr`, that of a plain login first."),
        metadata,
    ]

    private static let audience = Setting(
        "access_tokens.audience",
        .any(of: [Schema.string().orNull, .array(of: .string())], "One or several; null: the issuer.")
    ) { configuration in
        switch configuration.accessTokens.audience {
        case .issuer: .null
        case .fixed(let audiences): .array(audiences.map { .string($0) })
        }
    } read: { members, name, configuration throws(ControlError) in
        if members.object[name] == .null {
            configuration.accessTokens.audience = .issuer
            return
        }
        let audiences: [String]
        if let one = members.object[name]?.string {
            audiences = [one]
        } else {
            audiences = try members.texts(name) ?? []
        }
        guard !audiences.isEmpty, !audiences.contains("") else {
            throw .invalid(members.place[name], "must be a text, several, or null")
        }
        configuration.accessTokens.audience = .fixed(audiences)
    }

    private static let metadata = Setting(
        "metadata", .anyObject("Put over the metadata that the provider publishes; null takes a member away.")
    ) { configuration in
        .object(configuration.metadataOverrides)
    } read: { members, name, configuration throws(ControlError) in
        configuration.metadataOverrides = try members.object(name) ?? [:]
    }

    private static let allowanceNames: [(name: String, allowance: Allowances)] = [
        ("any_client", .anyClient), ("any_user", .anyUser), ("auto_login", .automaticLogin),
    ]

    private static let allowances = Setting(
        "allow",
        .array(of: .string(oneOf: allowanceNames.map(\.name)), "What a real provider must never allow.")
    ) { configuration in
        .array(allowanceNames.filter { configuration.allowances.contains($0.allowance) }.map { .string($0.name) })
    } read: { members, name, configuration throws(ControlError) in
        var allowances: Allowances = []
        for (index, text) in (try members.texts(name) ?? []).enumerated() {
            guard let known = allowanceNames.first(where: { sameText($0.name, text) }) else {
                throw .invalid(
                    members.place[name][index],
                    "must be one of \(allowanceNames.map(\.name).joined(separator: ", "))")
            }
            allowances.insert(known.allowance)
        }
        configuration.allowances = allowances
    }

    private static let legacy = Setting(
        "legacy",
        .array(of: .string(oneOf: LegacyFeature.allCases.map(\.rawValue)), "What RFC 9700 advises against.")
    ) { configuration in
        .array(LegacyFeature.allCases.filter(configuration.legacy.contains).map { .string($0.rawValue) })
    } read: { members, name, configuration throws(ControlError) in
        var features: Set<LegacyFeature> = []
        for (index, text) in (try members.texts(name) ?? []).enumerated() {
            guard let feature = LegacyFeature(rawValue: text) else {
                throw .invalid(
                    members.place[name][index],
                    "must be one of \(LegacyFeature.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            features.insert(feature)
        }
        configuration.legacy = features
    }

    private static let registration = Setting(
        "registration",
        .any(
            of: [
                .string(oneOf: ["open", "off"]),
                .object([("token", Schema.string("Whoever presents it may register.").orNull)], required: ["token"]),
            ], "Who may register clients. The token is never given back: null stands for it.")
    ) { configuration in
        switch configuration.registration {
        case .open: "open"
        case .token: ["token": nil]
        case .off: "off"
        }
    } read: { members, name, configuration throws(ControlError) in
        switch members.object[name] {
        case "open"?: configuration.registration = .open
        case "off"?: configuration.registration = .off
        case .object(let object)?:
            let policy = ControlMembers(object, at: members.place[name])
            try policy.allow(["token"])
            // As it was given by GET: the token stays.
            if case .token = configuration.registration, object["token"] == .null { return }
            configuration.registration = .token(SharedSecret(Secret(utf8: try policy.requiredText("token"))))
        default: throw .invalid(members.place[name], "must be open, off, or an object with a token")
        }
    }
}
