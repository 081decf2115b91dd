import Primitives

extension Schema {
    /// Of properties that several schemas have, and those that this one has alone.
    static func object(joining parts: [[(name: String, schema: Schema)]], required: [String]) -> Schema {
        .object(parts.flatMap(\.self), required: required)
    }
}

extension OperationDescription {
    /// An operation of the control API. ``ControlAPI`` adds the refusals that all of them have.
    static func control(_ identifier: String, _ summary: String, details: String? = nil) -> Self {
        OperationDescription(identifier, tag: "Control", summary, details: details)
            .secured(by: OpenAPIDocument.control)
    }

    /// One that takes a JSON object.
    func takingJSON(_ schema: Schema, isRequired: Bool = true) -> Self {
        taking(.json(schema), isRequired: isRequired)
    }

    func answeringJSON(_ schema: Schema, _ description: String = "What there is now.") -> Self {
        answering(200, description, .json(schema))
    }

    func answeringNothing(_ description: String = "Done.") -> Self { answering(204, description) }
}
