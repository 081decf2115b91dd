extension TokenEndpoint {
    func describe(in document: inout OpenAPIDocument) {
        EndpointDescriptions.describe(path, methods, in: &document) { _ in
            EndpointDescriptions.token(offering: offeredTypes)
        }
    }
}
