import JOSE
import OAuth
import Primitives

/// Members that are read and written in ways of their own.
extension ConfigurationMember {
    private static let texts = ConfigurationShape.list(.text(.plain), count: 1...maximumTextCount)

    static let issuer = Self(
        "issuer", .text(.plain),
        "The URL by which the provider goes; its endpoints are below it. Left out: the scheme and host of each request.",
        write: { if case .fixed(let issuer) = $0.issuer { .string(issuer.identifier) } else { nil } }
    ) { json, path, reading, configuration in
        guard let text = json.string, !text.isEmpty else { return }
        do throws(IssuerError) { configuration.issuer = .fixed(try Issuer(text)) } catch {
            reading.problems.add(error.description, at: path)
        }
    }.staying(because: "tokens and documents that are out name it")

    static let outboundAuthorities = Self(
        "outbound_ca", .text(.plain),
        "A PEM file of authorities that are trusted besides those of the system when the provider itself asks a server: "
            + "for keys, request objects, sectors, and to tell of a logout. Its name is relative to the directory of this file.",
        write: { $0.outboundAuthorities.map { .string($0) } }
    ) { json, _, _, configuration in
        if let name = json.string, !name.isEmpty { configuration.outboundAuthorities = name }
    }.staying(because: "which file it is counts when the process starts")

    static let audience = {
        var member = Self(
            "audience", .either([.text(.plain), texts]),
            "For whom they are, where neither the request nor the client says so: one text or several. Left out: the issuer.",
            write: { configuration in
                guard case .fixed(let audiences) = configuration.accessTokens.audience else { return nil }
                return audiences.count == 1 ? .string(audiences[0]) : .array(audiences.map { .string($0) })
            }
        ) { json, _, _, configuration in
            let audiences = json.string.map { [$0] } ?? json.array?.compactMap(\.string) ?? []
            if !audiences.isEmpty, !audiences.contains("") { configuration.accessTokens.audience = .fixed(audiences) }
        }
        member.clear = { $0.accessTokens.audience = .issuer }
        return member
    }()

    static let idTokenAlgorithm = {
        var member = choice(
            "alg", \.idTokens.algorithm,
            "The algorithm that signs them. Left out: that of access tokens, or RS256 where that is an HMAC.")
        member.write = { $0.idTokens.ownAlgorithm.map { .string($0.rawValue) } }
        member.clear = { $0.idTokens.forgetOwnAlgorithm() }
        return member
    }()

    static let crossOrigins = Self(
        "cors_origins",
        .either([.choice(["loopback", "any"]), .list(.text(.plain), count: 0...maximumTextCount)]),
        "Pages of which origins may read tokens and refusals: those of this machine (loopback), all (any), or a list.",
        write: { configuration in
            switch configuration.crossOrigin {
            case .loopback: "loopback"
            case .any: "any"
            case .listed(let origins): .array(origins.map(\.text).sorted().map { .string($0) })
            }
        }
    ) { json, path, reading, configuration in
        switch json {
        case "loopback": configuration.crossOrigin = .loopback
        case "any": configuration.crossOrigin = .any
        case .array(let elements):
            var origins: Set<WebOrigin> = []
            for (index, element) in elements.enumerated() {
                guard let text = element.string, !text.isEmpty else { continue }
                guard let origin = WebOrigin(text) else {
                    reading.problems.add(
                        "must be an origin: a scheme, a host and perhaps a port, such as http://localhost:3000",
                        at: path[index])
                    continue
                }
                origins.insert(origin)
            }
            configuration.crossOrigin = .listed(origins)
        default: break
        }
    }

    static let rotation = Self(
        "rotation", .rotation,
        "What becomes of a refresh token that is used, and of one that comes back: the rules of a provider by name, and "
            + "knobs that are turned.",
        write: { .string($0.rotation.text) }
    ) { json, path, reading, configuration in
        guard let text = json.string, ConfigurationText.rotation.fits(text) else { return }
        do throws(RotationPolicy.TextError) { configuration.rotation = try RotationPolicy(parsing: text) } catch {
            reading.problems.add(error.description, at: path)
        }
    }

    static func options(
        _ name: String, _ names: [(name: String, value: Allowances)], _ target: Path<Allowances>, _ help: String
    ) -> Self {
        Self(
            name, .list(.choice(names.map(\.name)), count: 0...maximumTextCount), help,
            write: { configuration in
                .array(names.filter { configuration[keyPath: target].contains($0.value) }.map { .string($0.name) })
            }
        ) { json, _, _, configuration in
            guard let elements = json.array else { return }
            configuration[keyPath: target] = []
            for (name, value) in names where elements.contains(.string(name)) {
                configuration[keyPath: target].insert(value)
            }
        }
    }

    static let legacy = Self(
        "legacy", .list(.choice(LegacyFeature.allCases.map(\.rawValue)), count: 0...maximumTextCount),
        "What RFC 9700 advises against, or forbids, and old applications still use.",
        write: { configuration in
            .array(LegacyFeature.allCases.filter(configuration.legacy.contains).map { .string($0.rawValue) })
        }
    ) { json, _, _, configuration in
        guard let elements = json.array else { return }
        configuration.legacy = Set(elements.compactMap { $0.string.flatMap(LegacyFeature.init(rawValue:)) })
    }

    static let registration = Self(
        "registration",
        .either([
            .choice(["open", "off"]),
            .record([ConfigurationField("token", .secret, "What a client presents to register.", isRequired: true)]),
        ]),
        "Who may register clients (RFC 7591): everybody, nobody, or whoever presents a token.",
        write: { configuration in
            switch configuration.registration {
            case .open: "open"
            case .off: "off"
            case .token: ["token": .string(ConfigurationShape.redacted)]
            }
        }
    ) { json, path, reading, configuration in
        switch json {
        case "open": configuration.registration = .open
        case "off": configuration.registration = .off
        default:
            guard let token = json["token"], let secret = reading.secret(token, at: path["token"]) else { return }
            configuration.registration = .token(SharedSecret(secret))
        }
    }

    /// Shorter ones can be tried out.
    private static let leastControlSecretByteCount = 16

    private static let controlSecret = ConfigurationShape.also(
        .secret,
        [
            "minLength": .number(JSONNumber(Int64(leastControlSecretByteCount))),
            "pattern": #"^[A-Za-z0-9._~+/-]+=*$"#,
        ])

    static let control = Self(
        "control",
        .either([
            .choice(["loopback", "off"]),
            .record([ConfigurationField("secret", controlSecret, "What whoever uses it presents.", isRequired: true)]),
        ]),
        "Who may use the control API: programs on this machine, nobody, or whoever presents a secret.",
        write: { configuration in
            switch configuration.control {
            case .loopback: "loopback"
            case .off: "off"
            case .secret: ["secret": .string(ConfigurationShape.redacted)]
            }
        }
    ) { json, path, reading, configuration in
        switch json {
        case "loopback": configuration.control = .loopback
        case "off": configuration.control = .off
        default:
            guard let member = json["secret"], let secret = reading.secret(member, at: path["secret"]) else { return }
            guard secret.count >= leastControlSecretByteCount,
                secret.withBytes({ BearerCredentials.isToken(Array($0)) })
            else {
                return reading.problems.add(
                    "must have at least \(leastControlSecretByteCount) characters: letters, digits and -._~+/",
                    at: path["secret"])
            }
            configuration.control = .secret(SharedSecret(secret))
        }
    }

    static let trustedIssuers = Self(
        "trusted_issuers",
        .list(
            .record([
                ConfigurationField("issuer", .text(.plain), "As the assertions have it in iss.", isRequired: true),
                ConfigurationField("jwks", .keySet, "The keys that verify them.", isRequired: true),
            ]), count: 0...maximumTextCount),
        "Whose assertions about users are believed (RFC 7523), besides those that a client signs itself.",
        write: { configuration in
            .array(
                configuration.trustedIssuers.map {
                    ["issuer": .string($0.identifier), "jwks": $0.keys.json(.publicOnly)]
                })
        }
    ) { json, path, reading, configuration in
        guard let elements = json.array else { return }
        configuration.trustedIssuers = []
        for (index, element) in elements.enumerated() {
            guard let name = element["issuer"]?.string, let jwks = element["jwks"], jwks.object != nil else { continue }
            let place = path[index]
            if configuration.trustedIssuers.contains(where: { sameText($0.identifier, name) }) {
                reading.problems.add("is there twice", at: place["issuer"])
            }
            do throws(JWKError) {
                let keys = try JWKSet(json: jwks)
                if keys.keys.isEmpty || keys.keys.contains(where: \.isPrivate) {
                    reading.problems.add("must hold public keys, one at least", at: place["jwks"])
                }
                configuration.trustedIssuers.append(TrustedIssuer(identifier: name, keys: keys))
            } catch {
                reading.problems.add(error.description, at: place["jwks"])
            }
        }
    }

    static let pairwiseSalt = Self(
        "pairwise_salt", .secret,
        "What pairwise subjects are made with. Chosen, they cannot be foreseen; changed, they are others.",
        write: { _ in .string(ConfigurationShape.redacted) }
    ) { json, path, reading, configuration in
        if let salt = reading.secret(json, at: path) { configuration.pairwiseSalt = salt }
    }

    static let contextClasses = Self(
        "acr_values", texts, "Values of acr that a login may be said to have reached, that of a plain login first.",
        write: { .array($0.contextClasses.map { .string($0) }) }
    ) { json, _, _, configuration in
        let values = json.array?.compactMap(\.string) ?? []
        if !values.isEmpty { configuration.contextClasses = values }
    }

    static let claims = Self(
        "claims", .claimRules, "Rules that set and remove claims, applied in their order.",
        write: { $0.claimRules.json }
    ) { json, path, reading, configuration in
        guard json.array != nil else { return }
        let problems = ClaimRules.problems(in: json, at: path)
        // What is of the wrong shape has been told.
        var told = ConfigurationProblems()
        ConfigurationShape.claimRules.check(json, at: path, into: &told)
        for problem in problems where !told.found.contains(where: { $0.path == problem.path }) {
            reading.problems.add(problem.problem.description, at: problem.path)
        }
        if problems.isEmpty, let rules = try? ClaimRules(parsing: json, at: path) { configuration.claimRules = rules }
    }

    static let metadata = Self(
        "metadata", .object, "Put over the metadata that the provider publishes; null takes a member away.",
        write: { .object($0.metadataOverrides) }
    ) { json, _, _, configuration in
        if let members = json.object { configuration.metadataOverrides = members }
    }
}
