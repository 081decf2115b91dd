extension RegistrationEndpoint {
    /// Where nobody may register, there is nothing at this path.
    func describe(in document: inout OpenAPIDocument) {
        guard context.configuration.registration.isOffered else { return }
        EndpointDescriptions.describe(path, methods, in: &document)
    }
}
