import IdentityProvider
import JOSE
import OAuth
import Primitives

/// What options say about a provider, over what a configuration file says.
struct OptionPolicies: Sendable {
    private let arguments: Arguments
    private let registration: RegistrationPolicy?
    private let control: ControlPolicy?

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        let isGiven = arguments.isGiven(ControlOptions.secretFile) || arguments.isGiven(ControlOptions.off)
        control = isGiven ? try ControlOptions.policy(arguments) : nil
        guard let file = arguments[ProviderOptions.registrationToken] else {
            registration = arguments[ProviderOptions.registration].map { $0 == .open ? .open : .off }
            return
        }
        guard arguments[ProviderOptions.registration] == nil else {
            throw .usage("--registration and --registration-token-file contradict each other")
        }
        do throws(SecretReferenceError) {
            let token = try ConfigurationFile.secret(in: file)
            guard token.count > 0 else { throw SecretReferenceError("\(file) is empty") }
            registration = .token(SharedSecret(token))
        } catch {
            throw .badInput(error.description)
        }
    }

    func adjust(_ configuration: inout ProviderConfiguration, over document: JSONObject) {
        if let issuer = arguments[ListenOptions.issuer] { configuration.issuer = .fixed(issuer) }
        if let file = arguments[ListenOptions.outboundAuthorities] { configuration.outboundAuthorities = file }
        adjustTokens(&configuration)
        adjustLifetimes(&configuration)
        if arguments.isGiven(ProviderOptions.crossOrigins) {
            configuration.crossOrigin = CrossOriginPolicy(arguments[ProviderOptions.crossOrigins])
        }
        if arguments.isGiven(UserOptions.legacy) { configuration.legacy = Set(arguments[UserOptions.legacy]) }
        if let page = arguments[UserOptions.page] { configuration.signIn.page = page }
        if let rotation = arguments[ProviderOptions.refreshRotation] { configuration.rotation = rotation }
        if let registration { configuration.registration = registration }
        if let control { configuration.control = control }
        if arguments.isGiven(ControlOptions.recordedRequests) {
            configuration.recordedRequests = arguments[ControlOptions.recordedRequests]
        }
        for (option, allowance) in [
            (UserOptions.anyUser, Allowances.anyUser), (UserOptions.automaticLogin, .automaticLogin),
            (ProviderOptions.anyClient, .anyClient),
        ] where arguments.isGiven(option) {
            if arguments[option] {
                configuration.allowances.insert(allowance)
            } else {
                configuration.allowances.remove(allowance)
            }
        }
    }

    private func adjustTokens(_ configuration: inout ProviderConfiguration) {
        if arguments.isGiven(ProviderOptions.algorithm) {
            configuration.accessTokens.algorithm = arguments[ProviderOptions.algorithm]
        }
        if let algorithm = arguments[ProviderOptions.idTokenAlgorithm] { configuration.idTokens.algorithm = algorithm }
        let audiences = arguments[ProviderOptions.audience]
        if !audiences.isEmpty { configuration.accessTokens.audience = .fixed(audiences) }
        if arguments.isGiven(ProviderOptions.lifetime) {
            configuration.accessTokens.lifetime = arguments[ProviderOptions.lifetime]
        }
        if let lifetime = arguments[ProviderOptions.idTokenLifetime] { configuration.idTokens.lifetime = lifetime }
    }

    private func adjustLifetimes(_ configuration: inout ProviderConfiguration) {
        if let lifetime = arguments[ProviderOptions.refreshLifetime] {
            configuration.lifetimes.refreshTokens = lifetime
        }
        if let lifetime = arguments[ProviderOptions.codeLifetime] {
            configuration.lifetimes.authorizationCode = lifetime
        }
        if let lifetime = arguments[UserOptions.loginLifetime] { configuration.lifetimes.login = lifetime }
    }
}
