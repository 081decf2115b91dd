import Glibc

/// What is fuzzed. libFuzzer owns the command line, so the choice comes in the environment.
enum FuzzTarget: String, CaseIterable {
    case json
    case base64url
    case pem
    case jws
    case jwk
    case http
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
        case .canaryMemory: Canary.checkMemory(input)
        case .canaryAssertion: Canary.checkAssertion(input)
        }
    }
}
