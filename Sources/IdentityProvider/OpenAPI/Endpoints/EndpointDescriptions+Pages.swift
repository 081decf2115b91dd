extension EndpointDescriptions {
    /// A page that stands between an authorization request and its answer.
    ///
    /// - Parameter isThrottled: whether whoever tries too often has to wait.
    static func interactionPage(_ name: String, _ summary: String, isThrottled: Bool = false) -> Operations {
        { method in
            var operation = OperationDescription("\(method.rawValue)\(name)Page", tag: "Pages", summary)
                .answering(303, "On to the next page, or to the client.", fields: [location])
            guard method == .post else {
                return operation.with(interaction).answering(200, "The page.", .page).answering(400, wrong, .page)
                    .answering(503, busy, .page)
            }
            operation = operation.taking(
                .form(.object([(name: "interaction", .string()), ("csrf", .string())], isOpen: true))
            ).answering(200, "A form that posts the answer to the client.", .page).answering(400, wrong, .page)
            operation =
                isThrottled
                ? operation.answering(403, "The page again, for what was typed is wrong; or \(foreign)", .page)
                    .answering(429, "The page again: too many wrong passwords.", .page, fields: [retryAfter])
                : operation.answering(403, "A page: \(foreign)", .page)
            return operation.answering(503, busy, .page)
        }
    }

    /// Where a request goes on that another site has posted.
    static let continuation: Operations = { method in
        OperationDescription("\(method.rawValue)Continuation", tag: "Pages", "Go on with what another site has posted.")
            .with(interaction)
            .answering(200, "A form that posts the answer to the client.", .page)
            .answering(303, "On to the next page, or to the client.", fields: [location])
            .answering(400, wrong, .page).answering(503, busy, .page)
    }

    static let home: Operations = { method in
        OperationDescription("\(method.rawValue)Home", tag: "Pages", "Where things are, for people.")
            .answering(200, "The page.", .page)
    }

    /// RFC 8628 section 3.3.
    static let devicePage: Operations = { method in
        let operation = OperationDescription(
            "\(method.rawValue)DevicePage", tag: "Devices", "The page where a user connects a device (RFC 8628).")
        let described =
            method == .post
            ? operation.taking(
                .form(
                    .object(
                        [
                            ("user_code", .string()), ("decision", .string(oneOf: ["allow", "deny"])),
                            ("csrf", .string()),
                        ], isOpen: true))
            ).answering(403, "A page: \(foreign)", .page)
            : operation.with(.init("user_code", in: .query, .string()))
        return
            described
            .answering(200, "The page.", .page).answering(303, "To the page of the login.", fields: [location])
            .answering(400, wrong, .page)
            .answering(404, "The page again: no device waits with this code.", .page)
            .answering(429, "The page again: too many wrong codes.", .page, fields: [retryAfter])
            .answering(503, busy, .page)
    }

    static let location = ("Location", "Where to.")
    static let retryAfter = ("Retry-After", "When to come again, in seconds.")
    static let wrong = "A page that says what is wrong."
    static let busy = "A page: try again in a moment."
    static let foreign = "the form is not one that this browser got from here."
    private static let interaction = OperationDescription.Parameter(
        "interaction", in: .query, .string(), isRequired: true, "Which sign-in it is of.")
}
