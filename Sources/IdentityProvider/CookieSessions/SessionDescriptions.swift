import HTTPMessages

/// What can be asked of sessions in cookies, for programs.
enum SessionDescriptions {
    static func describe(_ path: String, _ methods: [HTTPRequest.Method], in document: inout OpenAPIDocument) {
        document.define("Session", session)
        for method in methods {
            guard let method = OpenAPIDocument.Method(rawValue: method.rawValue.lowercased()),
                let operation = operation(method, path)
            else { continue }
            document.add(method, path, operation)
        }
    }

    private static func operation(_ method: OpenAPIDocument.Method, _ path: String) -> OperationDescription? {
        switch (path, method) {
        case (SessionEndpoint.location, .get): tell
        case (SessionEndpoint.location, .post): begin
        case (SessionEndpoint.location, .delete): end
        case (SessionRefreshEndpoint.location, .post): refresh
        case (SessionForkEndpoint.location, .post): fork
        case (SessionResourceEndpoint.location, .get): resource
        default: nil
        }
    }

    private static let tag = "Sessions in cookies"

    private static let session = Schema.object(
        [
            ("sub", .string()), ("client_id", .string()), ("scope", .string()), ("username", .string()),
            ("sid", .string()), ("auth_time", .integer()),
            ("expires_at", .integer("Of the access token, in seconds since 1970.")),
            ("expires_in", .integer("The same, from now on.", minimum: 0)),
            ("session_expires_at", .integer("Beyond this no refresh gets anything.")),
        ], required: ["sub", "client_id", "scope", "expires_at", "expires_in"],
        "Whose session it is, and until when. No token is in it.")

    private static let client = OperationDescription.Parameter(
        "client_id", in: .query, .string(), "Needed where cookies of several clients come.")

    private static let crossSite = (403, "A page of another origin made the browser send it.")
    private static let noSession = (401, "There is no session, or it is over.")
    private static let wrong = (400, "Two cookies of one name, a malformed one, or another mistake in the request.")
    private static let cookies = [("Set-Cookie", "The cookies of the access token and of the refresh token.")]

    private static let tell = OperationDescription(
        "getCookieSession", tag: tag, "Whose session it is, and until when.",
        details: "By the cookie of the access token."
    ).with(client).answering(200, "The session.", .json(.reference("Session"))).refusing(noSession, wrong)

    private static let begin = OperationDescription(
        "beginCookieSession", tag: tag, "Begin a session in cookies.",
        details: "By the name and password of a user, or by an authorization code. As a form, or the same in JSON."
    ).taking(
        .init(
            ["application/json", "application/x-www-form-urlencoded"].map {
                (
                    $0,
                    .object(
                        [
                            ("client_id", .string("Needed unless one client alone has sessions in cookies.")),
                            ("username", .string()), ("password", .string()), ("scope", .string()),
                            ("code", .string()), ("code_verifier", .string("RFC 7636.")), ("redirect_uri", .url()),
                            ("resource", .array(of: .url(), "RFC 8707; may be repeated.")),
                        ], isOpen: true)
                )
            })
    ).answering(200, "The session.", .json(.reference("Session")), fields: cookies)
        .refusing((400, "RFC 6749 section 5.2, or what a browser would not keep."), crossSite)
        .refusing(EndpointDescriptions.tooOften)

    private static let end = OperationDescription(
        "endCookieSession", tag: tag, "End a session, and take its cookies away."
    ).with(client).answering(
        200, "How far it went.",
        .json(.object([("ended", .string(oneOf: ["nothing", "session", "login"]))], required: ["ended"])),
        fields: [("Set-Cookie", "The cookies, expired.")]
    ).refusing(crossSite)

    private static let tokenParameters: [(name: String, schema: Schema)] = [
        ("client_id", .string()), ("refresh_token", .string("In the place of the cookie.")), ("scope", .string()),
    ]

    private static let refresh = OperationDescription(
        "refreshCookieSession", tag: tag, "Get new tokens into the cookies.",
        details:
            "The refresh token comes in its cookie, or, from a client that had it elsewhere, in the body. It is judged as "
            + "at the token endpoint."
    ).taking(forms(tokenParameters), isRequired: false)
        .answering(200, "The session.", .json(.reference("Session")), fields: cookies)
        .refusing(
            (400, "RFC 6749 section 5.2, two tokens at once, or a malformed cookie. None was spent."), noSession,
            crossSite)

    private static let fork = OperationDescription(
        "forkCookieSession", tag: tag, "Fork a session for another client.",
        details: "The fork has tokens of its own under the same login, and ends with it."
    ).taking(
        forms([("fork_client_id", .string("The client that the fork is for."))] + tokenParameters)
    ).answering(200, "The fork.", .json(.reference("Session")), fields: cookies)
        .refusing((400, "RFC 6749 section 5.2."), noSession, crossSite)

    private static func forms(_ members: [(name: String, schema: Schema)]) -> OperationDescription.Content {
        let schema = Schema.object(members, isOpen: true)
        return .init([("application/json", schema), ("application/x-www-form-urlencoded", schema)])
    }

    private static let resource = OperationDescription(
        "getCookieSessionResource", tag: tag, "A protected resource to try a session with.",
        details: "It takes the cookie of the access token, or the token itself."
    ).with(client).answering(
        200, "The token is good.",
        .json(
            .object(
                [
                    ("message", .string()), ("sub", .string()), ("client_id", .string()), ("scope", .string()),
                    ("presented_as", .string(oneOf: ["cookie", "bearer", "dpop"])),
                ], required: ["message", "sub", "client_id", "presented_as"]))
    ).refusing(noSession, wrong).secured(by: OpenAPIDocument.bearer)
}
