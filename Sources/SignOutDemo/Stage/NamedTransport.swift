import HTTPMessages

/// Says of each request who sends it: in `User-Agent`, as an app and a web view do, and in `Pawl-Label`, by which the provider
/// can be told whom to hear first.
struct NamedTransport: OutboundRequests {
    let side: Side
    let base: any OutboundRequests

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        var request = request
        request.headerFields[.userAgent] = "SignOutDemo (\(side.name))"
        if let label = HTTPField.Name(Self.labelName) { request.headerFields[label] = side.rawValue }
        return try await base.send(request, body: body)
    }

    static let labelName = "Pawl-Label"
}
