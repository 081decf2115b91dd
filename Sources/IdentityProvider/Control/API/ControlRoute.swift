import HTTPMessages

/// One operation of the control API: where it is, what it is for, and what it does. Its description is all that the
/// OpenAPI document knows of it, so that neither can be there without the other.
struct ControlRoute: Sendable {
    typealias Handler = @Sendable (ControlRequest) async throws(ControlError) -> ControlAnswer

    let method: HTTPRequest.Method
    /// Below `/_pawl`, with names in braces for parameters: `/users/{username}`.
    let template: String
    let description: OperationDescription
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ template: String, _ description: OperationDescription,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.description = description
        self.handler = handler
    }
}

/// Some operations that belong together.
protocol ControlResource: Sendable {
    var routes: [ControlRoute] { get }
}

extension HTTPRequest.Method {
    /// RFC 5789.
    static let patch = Self("PATCH")!
}
