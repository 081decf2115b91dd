import HTTPMessages
import OAuth
import Primitives

/// The control API of one tenant: what a test may see and change while the provider runs. It is below `/_pawl` of the
/// tenant.
package struct ControlAPI: Sendable {
    /// Where it begins.
    package static let path = "/_pawl"

    let routes: [ControlRoute]
    private let router: ControlRouter
    private let gate: ControlGate
    private let isOff: Bool

    /// Pages of this machine may use it, and no others, whoever may read tokens.
    private static let crossOrigin = CrossOrigin(policy: .loopback)

    /// Lets a page read the answer, or ask at all, if the gate would let it in.
    static func admitReader(of response: inout ServerResponse, to request: ServerRequest) {
        guard ControlGate.admitsPage(of: request) else { return }
        crossOrigin.admitReader(of: &response, to: request)
    }

    /// A resource is added here by one line.
    init(_ resources: [any ControlResource], policy: ControlPolicy, issuer: IssuerPolicy) {
        if case .off = policy { isOff = true } else { isOff = false }
        routes = isOff ? [] : resources.flatMap(\.routes)
        router = ControlRouter(routes)
        var issuerHost: String?
        if case .fixed(let issuer) = issuer { issuerHost = issuer.host }
        gate = ControlGate(policy: policy, issuerHost: issuerHost)
    }

    /// Whether a target is one of this API. When it is off, there is nothing here to be found.
    func owns(_ target: String) -> Bool {
        guard !isOff, target.utf8.starts(with: Self.path.utf8) else { return false }
        let rest = target.utf8.dropFirst(Self.path.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?")
    }

    /// - Parameter issuer: made when it is needed, for a request may name a host that cannot be one.
    func respond(
        to request: ServerRequest, target: String, as issuer: () throws(OAuthError) -> PreparedIssuer
    ) async -> ServerResponse {
        do throws(ControlError) {
            try gate.check(request)
            return try await answer(request, target: target, as: issuer)
        } catch {
            return error.response
        }
    }

    /// A browser asks ahead before it lets a page send JSON; it sends no credentials then.
    func options(for request: ServerRequest, target: String) -> ServerResponse {
        let path = Self.place(target)
        guard let match = router.match(path) else { return Self.unknown.response }
        return CrossOrigin.optionsResponse(allowing: match.allowed)
    }

    private static func place(_ target: String) -> Substring {
        let path = target.prefix { $0 != "?" }.dropFirst(Self.path.count)
        return path == "/" ? "" : path
    }

    private static let unknown = ControlError.notFound(
        "there is no such operation of the control API; /openapi.json describes those that are")

    /// A page can send a form, or text, to another origin without asking; JSON it cannot (Fetch section 2.2.2). Our own
    /// notices to clients, such as a logout token (OpenID Connect Back-Channel Logout section 2.5), are forms too, and go
    /// wherever a client has registered. So a body that is not JSON reaches no operation, not even one that reads none.
    private static func checkBody(of request: ServerRequest) throws(ControlError) {
        guard request.head.method != .get, !request.body.isEmpty else { return }
        guard let contentType = request.head.headerFields[.contentType], MediaType.isJSON(contentType) else {
            throw ControlError(
                status: ControlStatus.unsupportedMediaType, code: "invalid_request",
                description: "the body must be application/json, and say so")
        }
    }

    private func answer(
        _ request: ServerRequest, target: String, as issuer: () throws(OAuthError) -> PreparedIssuer
    ) async throws(ControlError) -> ServerResponse {
        let path = Self.place(target)
        guard let match = router.match(path) else { throw Self.unknown }
        guard let route = match.route(for: request.head.method) else {
            throw ControlError(
                status: .methodNotAllowed, code: "invalid_request", description: "this answers \(match.allowed)",
                fields: [.allow: match.allowed])
        }
        try Self.checkBody(of: request)
        let prepared: PreparedIssuer
        let query: FormParameters
        do {
            prepared = try issuer()
            query = try FormParameters(parsing: target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        } catch let error as OAuthError {
            throw ControlError(error)
        } catch {
            throw .invalid(nil, "the query: \(error)")
        }
        try route.description.check(query, body: request.body)
        let answer = try await route.handler(
            ControlRequest(request: request, issuer: prepared, query: query, parameters: match.parameters))
        return answer.response
    }
}

extension FormParameters {
    /// From a query as it stands in a target.
    fileprivate init(parsing query: Substring.UTF8View) throws(FormError) {
        try self.init(parsing: Array(query).span)
    }
}
