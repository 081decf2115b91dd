import HTTPMessages
import Primitives

/// What the next answers of an endpoint are to be instead of what they would have been.
package struct ResponseOverride: Sendable {
    /// The path of the endpoint, below the issuer; `nil`: whichever gives tokens next, be it the token endpoint or, in a
    /// redirect, the authorization endpoint.
    package var endpoint: String?
    /// Only for requests of this client; `nil`: of any.
    package var clientID: String?
    /// Other claims and members in an answer with tokens that the endpoint makes.
    package var tokens: TokenOverride?
    /// Another answer altogether.
    package var replacement: ResponseReplacement?

    package init(endpoint: String? = nil, clientID: String? = nil) {
        self.endpoint = endpoint
        self.clientID = clientID
    }

    /// The endpoints whose answers are of tokens: a ``TokenOverride`` can change all of such an answer.
    private static let tokenEndpoints = [TokenEndpoint.location, AuthorizationEndpoint.location]
    /// Those that put an access token into a cookie: of a ``TokenOverride``, its claims are for them.
    private static let cookieEndpoints = [
        SessionEndpoint.location, SessionRefreshEndpoint.location, SessionForkEndpoint.location,
    ]

    package static func givesTokens(_ path: String) -> Bool { tokenEndpoints.contains { sameText($0, path) } }

    package static func givesAccessTokens(_ path: String) -> Bool {
        givesTokens(path) || cookieEndpoints.contains { sameText($0, path) }
    }

    /// Those that give access tokens, for whoever named another.
    package static let endpointsWithAccessTokens = (tokenEndpoints + cookieEndpoints).joined(separator: ", ")
    /// Those that give ID tokens.
    package static let endpointsWithIDTokens = tokenEndpoints.joined(separator: ", ")

    func isFor(_ clientID: String?) -> Bool {
        guard let wanted = self.clientID else { return true }
        return clientID.map { sameText($0, wanted) } == true
    }
}

/// An answer in the place of the endpoint's own. What is `nil` stays as it was.
package struct ResponseReplacement: Sendable {
    package var moment = Moment.after
    package var status: HTTPResponse.Status?
    /// In the place of those of the same name.
    package var fields: HTTPFields = [:]
    package var body: [UInt8]?
    /// Put over the members of a body that is a JSON object; `null` takes a member away.
    package var members: JSONObject?

    package init() {}

    /// Framing is the server's business: a wrong length would harm the next answer on the connection, not this one.
    private static let fieldsOfServer = ["content-length", "transfer-encoding", "connection", "date"]

    /// A header field that the answer may have; what is thrown is why not.
    package static func field(_ name: String, _ value: String) throws(UnusableField) -> HTTPField {
        guard let fieldName = HTTPField.Name(name),
            value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }), !value.hasPrefix(" "),
            !value.hasSuffix(" ")
        else { throw .malformed }
        guard !fieldsOfServer.contains(fieldName.canonicalName) else { throw .ofServer }
        return HTTPField(name: fieldName, value: value)
    }

    /// Why an answer cannot have a header field.
    package enum UnusableField: String, Error {
        case malformed = "must be the name and the text of a header field"
        case ofServer = "is the server's own"
    }

    /// Those that an answer may be given.
    package static let statusCodes = 200...599

    /// Whether the endpoint does its work.
    package enum Moment: String, Sendable, CaseIterable {
        /// It does not, and nothing happens: no code is consumed, no refresh token is spent.
        case instead
        /// It does, and what it did holds; only its answer is lost, as when a connection breaks.
        case after
    }

    /// The answer without the endpoint's work.
    var response: ServerResponse {
        var response = ServerResponse(status: .ok, headerFields: ResponseFields.neverStored)
        apply(to: &response)
        return response
    }

    func apply(to response: inout ServerResponse) {
        if let status { response.head.status = status }
        if let body { response.body = .bytes(body) }
        if let members, case .bytes(let bytes) = response.body, let own = (try? JSON(parsing: bytes.span))?.object {
            var result = own
            result.put(members)
            response.body = .bytes(JSON.object(result).serialised())
        }
        for name in Set(fields.map(\.name)) { response.head.headerFields[values: name] = fields[values: name] }
    }
}

extension JSONObject {
    /// Puts the members of another over these; null takes one away.
    mutating func put(_ other: JSONObject) {
        for (name, value) in other {
            if value == .null { self[name] = JSON?.none } else { self[name] = value }
        }
    }
}
