import Glibc

/// What is fuzzed. libFuzzer owns the command line, so the choice comes in the environment.
enum FuzzTarget: String, CaseIterable {
    case json
    case base64url
    case pem
    case jws
    case jwk
    case http
    case redirect
    case url
    case form
    case authorization
    case requestObject = "request-object"
    case session
    case proof
    case cookies
    case cookieJar = "cookie-jar"
    case sessionRecord = "session-record"
    case sealedFile = "sealed-file"
    case cookieJarFile = "cookie-jar-file"
    case configuration
    case claimRules = "claim-rules"
    case claimsRequest = "claims-request"
    /// Planted bugs: a run that does not find them is blind.
    case canaryMemory = "canary-memory"
    case canaryAssertion = "canary-assertion"

    static let chosen: FuzzTarget = {
        let name = getenv("PAWL_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("PAWL_FUZZ_TARGET must be one of \(allCases.map(\.rawValue).joined(separator: " "))")
        }
        return target
    }()

    func run(_ input: Span<UInt8>) {
        switch self {
        case .json: JSONProperties.check(input)
        case .base64url: Base64Properties.check(input)
        case .pem: PEMProperties.check(input)
        case .jws: JWSProperties.check(input)
        case .jwk: JWKProperties.check(input)
        case .http: HTTPProperties.check(input)
        case .redirect: RedirectProperties.check(input)
        case .url: URLProperties.check(input)
        case .form: FormProperties.check(input)
        case .authorization: AuthorizationProperties.check(input)
        case .requestObject: RequestObjectProperties.check(input)
        case .session: SessionProperties.check(input)
        case .proof: ProofProperties.check(input)
        case .cookies: CookieProperties.check(input)
        case .cookieJar: CookieJarProperties.check(input)
        case .sessionRecord: SessionRecordProperties.check(input)
        case .sealedFile: SealedFileProperties.check(input)
        case .cookieJarFile: CookieJarFileProperties.check(input)
        case .configuration: ConfigurationProperties.check(input)
        case .claimRules: ClaimRuleProperties.check(input)
        case .claimsRequest: ClaimsRequestProperties.check(input)
        case .canaryMemory: Canary.checkMemory(input)
        case .canaryAssertion: Canary.checkAssertion(input)
        }
    }
}
