import OAuth
import Primitives

extension AuthorizationEndpoint {
    func advertise(in metadata: inout ServerMetadata) {
        let configuration = desk.context.configuration
        metadata[.authorizationEndpoint] = .string(metadata.issuer.url(of: path))
        let types = usedResponseTypes(configuration)
        metadata.append(contentsOf: types.map(\.text), to: .responseTypesSupported)
        metadata.append(contentsOf: ResponseMode.allCases.map(\.rawValue), to: .responseModesSupported)
        if types.contains(where: \.returnsTokens) { metadata.append("implicit", to: .grantTypesSupported) }
        metadata.append(contentsOf: Self.challengeMethods(configuration), to: .codeChallengeMethodsSupported)
        metadata.append(contentsOf: Prompt.names.map(\.name), to: .promptValuesSupported)
        metadata.append(contentsOf: configuration.contextClasses, to: .authenticationContextsSupported)
        // The pages fit any window; none is made for `wap`.
        metadata.append(
            contentsOf: [Display.page, .popup, .touch].map(\.rawValue), to: .displayValuesSupported)
        metadata.append(contentsOf: PageLanguage.allCases.map(\.tag), to: .pageLocalesSupported)
        metadata[.claimsParameterSupported] = true
        metadata[.responseIssuerParameterSupported] = true
        // OpenID Connect Discovery section 3: where the second is missing, it counts as true.
        metadata[.requestParameterSupported] = false
        metadata[.requestURIParameterSupported] = false
        for source in reader.sources { source.advertise(in: &metadata) }
    }

    static func challengeMethods(_ configuration: ProviderConfiguration) -> [String] {
        let methods: [CodeChallengeMethod] = configuration.legacy.contains(.plainChallenge) ? [.s256, .plain] : [.s256]
        return methods.map(\.rawValue)
    }

    /// Those that some client may use, in the order of the registry: a configured one, or one that is still to come.
    func usedResponseTypes(_ configuration: ProviderConfiguration) -> [ResponseType] {
        let configured = desk.context.clients.clients.filter { $0.origin == .configured }
        var used = Set(configured.flatMap(\.metadata.responseTypes))
        if configuration.allowances.contains(.anyClient) || configuration.registration.isOffered {
            used.formUnion(StandardClients.everyResponseType(with: configuration.legacy))
        }
        return used.sorted { $0.rawValue < $1.rawValue }
    }
}
