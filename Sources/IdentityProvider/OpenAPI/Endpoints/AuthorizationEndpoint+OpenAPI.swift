import OAuth

extension AuthorizationEndpoint {
    func describe(in document: inout OpenAPIDocument) {
        let configuration = desk.context.configuration
        let types = usedResponseTypes(configuration).map(\.text)
        let challenges = Self.challengeMethods(configuration)
        EndpointDescriptions.describe(path, methods, in: &document) { method in
            EndpointDescriptions.authorize(method, types: types, methods: challenges)
        }
    }
}
