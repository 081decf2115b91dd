import HTTPMessages
import Primitives

extension ControlAPI {
    /// Every operation says itself what it is; the schemas that several use are named here.
    func describe(in document: inout OpenAPIDocument) {
        guard !routes.isEmpty else { return }
        document.define("User", User.controlSchema)
        document.define(
            "Client",
            .object(
                [("client_id", .string())], required: ["client_id"], isOpen: true,
                "What is registered of a client (RFC 7591 section 3.2.1), without secrets."))
        document.define("Settings", Settings.schema)
        document.define("RecordedRequest", RequestsControl.recordSchema)
        for route in routes {
            guard let method = OpenAPIDocument.Method(rawValue: route.method.rawValue.lowercased()) else { continue }
            document.add(method, Self.path + route.template, Self.completed(route.description, method))
        }
    }

    /// What the API checks before any operation is asked: who sends the request, its query, and that a body is JSON and
    /// wanted. An operation that finds more of the query or the body wrong says it with the same status.
    private static func completed(
        _ operation: OperationDescription, _ method: OpenAPIDocument.Method
    ) -> OperationDescription {
        let completed = operation.refusing(
            (400, "The query or the body is wrong; `path` says where in the body."),
            (401, "The control secret is missing or wrong."), (403, "Not from here, or not from this page."))
        return method == .get ? completed : completed.refusing((415, "The body is no application/json."))
    }
}
