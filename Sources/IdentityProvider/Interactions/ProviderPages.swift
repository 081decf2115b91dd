import HTTPMessages
import OAuth

/// Sends pages in the language of whoever reads them.
struct ProviderPages: Sendable {
    let context: ProviderContext

    func response(_ page: some Page, for visit: Visit) -> ServerResponse {
        response(page, to: visit.request, uiLocales: visit.uiLocales)
    }

    func response(_ page: some Page, to request: ServerRequest, uiLocales: String? = nil) -> ServerResponse {
        let configuration = context.configuration
        return page.response(
            PageSetting(
                language: .chosen(uiLocales: uiLocales, acceptLanguage: request.head.headerFields[.acceptLanguage]),
                isMock: configuration.signIn.page == .users || !configuration.allowances.isEmpty))
    }

    func response(for error: OAuthError, _ visit: Visit) -> ServerResponse {
        response(for: error, to: visit.request, uiLocales: visit.uiLocales)
    }

    /// What the user alone is told.
    func response(for error: OAuthError, to request: ServerRequest, uiLocales: String? = nil) -> ServerResponse {
        let status: HTTPResponse.Status =
            switch error.code {
            case .accessDenied: .forbidden
            // A challenge would have to come with 401 (RFC 9110 section 15.5.2), and there is none for people.
            case let code where code.status == 401: .badRequest
            default: HTTPResponse.Status(errorCode: error.code.status)
            }
        var response = response(
            ErrorPage(
                status: status, code: error.code.rawValue, details: error.publicDescription, requestID: request.id),
            to: request, uiLocales: uiLocales)
        if let seconds = ErrorResponse.retryAfter(status) { response.head.headerFields[.retryAfter] = seconds }
        return response
    }
}
