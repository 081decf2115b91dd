import OAuth
import Primitives

/// Tokens for a device whose user has agreed on another one (RFC 8628 section 3.4).
struct DeviceCodeGrant: Grant {
    static let type = "urn:ietf:params:oauth:grant-type:device_code"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard let code = request.form["device_code"] else {
            throw OAuthError(.invalidRequest, "device_code is missing")
        }
        let targets = try TargetPolicy.resources(of: request.form, for: request.client)
        let now = request.now
        let clientID = request.client.id
        let poll = try await context.storing { store throws(StoreError) in
            try await store.changeDevice(named: TokenDigest(of: code)) {
                $0.poll(by: clientID, naming: targets, at: now)
            }
        }
        switch poll {
        case nil: throw Self.refusal(.invalidGrant, cause: "unknown device code")
        case .refused(let code, let cause): throw Self.refusal(code, cause: cause)
        case .granted(let terms): return try await tokens(for: terms, targets, request)
        }
    }

    private func tokens(
        for approved: FamilyTerms, _ targets: [String], _ request: TokenRequest
    ) async throws(OAuthError) -> TokenResponse {
        // RFC 9449 section 5, RFC 8705 section 7.1: what a client gets that proves nothing else is bound to its key.
        let terms = request.client.isPublic ? approved.bound(to: request.confirmation) : approved
        let family = try await minter.begin(
            terms, for: request.client, as: request.issuer, notingIn: request.trace)
        var order = TokenOrder(
            client: request.client, family: family, scope: terms.scope, grant: Self.type, issuer: request.issuer,
            now: request.now)
        order.audience = targets.isEmpty ? terms.resources : targets
        order.confirmation = request.confirmation
        order.override = request.override
        order.request = request.form
        return try await minter.tokens(order)
    }

    private static func refusal(_ code: OAuthErrorCode, cause: StaticString) -> OAuthError {
        OAuthError(code, description(of: code), cause: cause.description)
    }

    private static func description(of code: OAuthErrorCode) -> String {
        switch code {
        case .authorizationPending: "the user has not decided yet; ask again after the interval"
        case .slowDown: "asked before the interval was over; from now on it is five seconds longer"
        case .accessDenied: "the user has denied the request"
        case .invalidTarget: TargetPolicy.notGranted.publicDescription
        case .expiredToken: "the device code has expired; begin again at the device authorization endpoint"
        default: "the device code is unknown, was used before, or was given to another client"
        }
    }
}
