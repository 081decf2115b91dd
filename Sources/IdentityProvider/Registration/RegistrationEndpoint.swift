import HTTPMessages
import OAuth
import Observability
import Primitives

/// Where clients register themselves (RFC 7591, OpenID Connect Dynamic Client Registration), and look after what they
/// have registered (RFC 7592).
///
/// A registration lives at the same path, with its client in the query: `/register?client_id=…`.
struct RegistrationEndpoint: Endpoint {
    static let location = "/register"

    let path = RegistrationEndpoint.location
    let methods: [HTTPRequest.Method] = [.post, .get, .put, .delete]
    let isPublic = false

    let context: ProviderContext
    let authenticator: ClientAuthenticator

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        guard context.configuration.registration.isOffered else { return ErrorResponse.notFound }
        do throws(RegistrationRefusal) {
            switch request.head.method {
            case .post: return try await register(request, as: issuer)
            case .put: return try await update(request, as: issuer)
            case .delete: return try await delete(request)
            default: return try read(request, as: issuer)
            }
        } catch {
            report(error.error, to: request)
            return error.response
        }
    }

    private func report(_ error: OAuthError?, to request: ServerRequest) {
        guard let error else { return }
        context.logger.refused("registration.refused", error, request)
    }

    func note(_ message: StaticString, _ client: Client, _ request: ServerRequest) {
        context.logger.info(message, [LogField("request", request.id), LogField("client", client.id)])
    }

    /// By which rules strangers' metadata is read just now.
    var rules: ClientMetadataRules {
        ClientMetadataRules(
            .registration, legacy: context.configuration.legacy,
            authenticationMethods: Set(authenticator.methods.filter { $0.isOffered(in: context) }.map(\.name)))
    }

    func advertise(in metadata: inout ServerMetadata) {
        guard context.configuration.registration.isOffered else { return }
        metadata[.registrationEndpoint] = .string(metadata.issuer.url(of: path))
    }
}
