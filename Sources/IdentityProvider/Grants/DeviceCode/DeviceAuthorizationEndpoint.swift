import HTTPMessages
import OAuth
import Observability
import Primitives

/// Where a device without a browser begins (RFC 8628 section 3.1).
struct DeviceAuthorizationEndpoint: Endpoint {
    static let location = "/device_authorization"

    let path = DeviceAuthorizationEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    let context: ProviderContext
    let authenticator: ClientAuthenticator

    /// How often a user code is drawn before there are too many devices at once.
    private static let drawLimit = 8

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        do throws(OAuthError) {
            let started = try await start(request, as: issuer)
            return ServerResponse(
                status: .ok, headerFields: ResponseFields.neverStored,
                body: .bytes(JSON.object(started).serialised()))
        } catch {
            context.logger.refused("device.refused", error, request)
            return ErrorResponse.response(for: error)
        }
    }

    private func start(_ request: ServerRequest, as issuer: PreparedIssuer) async throws(OAuthError) -> JSONObject {
        let form = try ClientForm.parameters(of: request, repeatable: ["resource"])
        let now = context.clock.now()
        // RFC 8628 section 3.1: clients authenticate as at the token endpoint.
        let client = try await authenticator.authenticate(
            ClientRequest(request, form: form, to: path, as: issuer, at: now, in: context))
        guard client.mayUse(DeviceCodeGrant.type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use the device grant", cause: client.id)
        }
        let scope = try client.scope(for: form["scope"])
        let resources = try TargetPolicy.resources(of: form, for: client)
        let code = "dc1." + context.random.identifier(byteCount: 32)
        let userCode = try await keep(code, client, scope, resources, at: now)
        context.logger.info("device.started", [LogField("request", request.id), LogField("client", client.id)])
        return answer(code, userCode, issuer)
    }

    private func keep(
        _ code: String, _ client: Client, _ scope: Scope, _ resources: [String], at now: Timestamp
    ) async throws(OAuthError) -> UserCode {
        let lifetimes = context.configuration.lifetimes
        for _ in 0..<Self.drawLimit {
            let userCode = UserCode(from: context.random)
            let device = DeviceAuthorization(
                clientID: client.id, userCode: userCode.text, scope: scope, resources: resources,
                interval: lifetimes.devicePollInterval, expires: now + lifetimes.deviceCode,
                clientStay: client.stay)
            let isKept = try await context.storing { store throws(StoreError) in
                try await store.keep(device, named: TokenDigest(of: code), at: now)
            }
            if isKept { return userCode }
        }
        throw OAuthError(.temporarilyUnavailable, "try again in a moment", cause: "no user code is free")
    }

    /// RFC 8628 section 3.2.
    private func answer(_ code: String, _ userCode: UserCode, _ issuer: PreparedIssuer) -> JSONObject {
        let lifetimes = context.configuration.lifetimes
        let page = issuer.issuer.url(of: DeviceVerificationEndpoint.location)
        return [
            "device_code": .string(code),
            "user_code": .string(userCode.shown),
            "verification_uri": .string(page),
            "verification_uri_complete": .string("\(page)?user_code=\(userCode.shown)"),
            "expires_in": .number(JSONNumber(lifetimes.deviceCode.inSeconds)),
            "interval": .number(JSONNumber(lifetimes.devicePollInterval.inSeconds)),
        ]
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.deviceAuthorizationEndpoint] = .string(metadata.issuer.url(of: path))
    }
}
