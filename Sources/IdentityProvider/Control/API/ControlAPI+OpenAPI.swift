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
            document.add(method, Self.path + route.template, route.description)
        }
    }
}
