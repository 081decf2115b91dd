import Primitives

/// What one method of one path does: an Operation Object of OpenAPI 3.1.
package struct OperationDescription: Sendable {
    /// Unique in a document: what generated clients call it.
    package var identifier: String
    package var tag: String
    package var summary: String
    package var details: String?
    package var parameters: [Parameter] = []
    package var requestBody: Content?
    package var isRequestBodyRequired = true
    package var responses: [Response] = []
    /// The names of security schemes, of which one is enough; empty: none is needed.
    package var security: [String] = []

    package init(_ identifier: String, tag: String, _ summary: String, details: String? = nil) {
        self.identifier = identifier
        self.tag = tag
        self.summary = summary
        self.details = details
    }

    /// A value in the path, the query or the header.
    package struct Parameter: Sendable {
        /// Where it stands in the request.
        package enum Place: String, Sendable { case path, query, header }

        package let name: String
        package let place: Place
        package let schema: Schema
        package let isRequired: Bool
        package let description: String?

        package init(
            _ name: String, in place: Place, _ schema: Schema = .string(), isRequired: Bool = false,
            _ description: String? = nil
        ) {
            self.name = name
            self.place = place
            self.schema = schema
            self.isRequired = isRequired || place == .path
            self.description = description
        }
    }

    /// A body: a media type and what it is like; several where there is a choice.
    package struct Content: Sendable {
        package var types: [(mediaType: String, schema: Schema)]

        package init(_ types: [(mediaType: String, schema: Schema)]) { self.types = types }

        package static func json(_ schema: Schema) -> Content { Content([("application/json", schema)]) }
        package static func form(_ schema: Schema) -> Content {
            Content([("application/x-www-form-urlencoded", schema)])
        }
        package static let page = Content([("text/html", .string())])
        package static let jwt = Content([("application/jwt", .string())])
        static let error = Content.json(.reference("Error"))
    }

    /// What comes back.
    package struct Response: Sendable {
        package let status: Int
        package let description: String
        package let content: Content?
        /// Names of header fields, and what they say.
        package let fields: [(name: String, description: String)]

        package init(
            _ status: Int, _ description: String, _ content: Content? = nil,
            fields: [(name: String, description: String)] = []
        ) {
            self.status = status
            self.description = description
            self.content = content
            self.fields = fields
        }

        /// The same with a header field more, unless it has that.
        func saying(_ field: (name: String, description: String)) -> Response {
            guard !fields.contains(where: { $0.name == field.name }) else { return self }
            return Response(status, description, content, fields: fields + [field])
        }

        /// The same with an error in JSON for a choice, unless it is JSON anyhow.
        fileprivate func refusing(also description: String) -> Response {
            let error = Content.error.types
            let types = content?.types ?? []
            guard !types.contains(where: { $0.mediaType == error[0].mediaType }) else { return self }
            return Response(
                status, "\(self.description) In JSON: \(description)", Content(types + error), fields: fields)
        }
    }
}

// MARK: - Building

extension OperationDescription {
    package func with(_ parameters: Parameter...) -> Self {
        var copy = self
        copy.parameters += parameters
        return copy
    }

    package func taking(_ content: Content, isRequired: Bool = true) -> Self {
        var copy = self
        copy.requestBody = content
        copy.isRequestBodyRequired = isRequired
        return copy
    }

    package func answering(
        _ status: Int, _ description: String, _ content: Content? = nil,
        fields: [(name: String, description: String)] = []
    ) -> Self {
        var copy = self
        copy.responses.append(Response(status, description, content, fields: fields))
        return copy
    }

    /// Refusals in the shape that RFC 6749 section 5.2 gives them.
    package func refusing(_ statuses: (status: Int, description: String)...) -> Self {
        var copy = self
        for (status, description) in statuses {
            copy.responses.append(Response(status, description, .error))
        }
        return copy
    }

    /// A refusal in that shape which comes from somewhere else: what this answers with the status by itself stays.
    func refusing(also status: Int, _ description: String) -> Self {
        guard let index = responses.firstIndex(where: { $0.status == status }) else {
            return refusing((status, description))
        }
        var copy = self
        copy.responses[index] = responses[index].refusing(also: description)
        return copy
    }

    package func secured(by schemes: String...) -> Self {
        var copy = self
        copy.security += schemes
        return copy
    }
}
