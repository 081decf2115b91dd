import Cookies
import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the requests of a session by `URLSession`, and lets that do nothing by itself: no cookies, no cache, no stored
/// credentials, no redirects. Whatever else in the app uses the shared stores sees nothing of it and changes nothing (S17).
///
///     let session = SessionManager(server: server, store: store, clock: clock, alarm: alarm)
///     let (response, body) = try await session.send(request, through: URLSessionTransport())
package final class URLSessionTransport: OutboundRequests {
    /// Of an answer: 16 MiB.
    package static let largestAnswer = 16 << 20

    private let session: URLSession
    private let largestAnswer: Int

    /// - Parameters:
    ///   - timeout: for a whole exchange. Shorter than the time that a session manager waits for an answer.
    ///   - configuration: to begin with; what this type promises is put over it.
    package init(
        timeout: Duration = .seconds(15), configuration: URLSessionConfiguration = .ephemeral,
        largestAnswer: Int = URLSessionTransport.largestAnswer
    ) {
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        let seconds = TimeInterval(timeout.components.seconds) + TimeInterval(timeout.components.attoseconds) / 1e18
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
        self.largestAnswer = largestAnswer
    }

    deinit { session.invalidateAndCancel() }

    package func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        guard let scheme = request.scheme, scheme == "https" || scheme == "http", let authority = request.authority,
            let url = URL(string: "\(scheme)://\(authority)\(request.path ?? "/")")
        else { throw .invalidRequest }
        var converted = URLRequest(url: url)
        converted.httpMethod = request.method.rawValue
        converted.httpShouldHandleCookies = false
        for field in request.headerFields { converted.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        if !body.isEmpty { converted.httpBody = Data(body) }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await session.data(for: converted) } catch { throw OutboundFailure(error) }
        guard let answer = response as? HTTPURLResponse else { throw .notHTTP }
        guard data.count <= largestAnswer else { throw .tooLarge }
        return (HTTPResponse(answer), Array(data))
    }

    /// Hands a redirect back as it is: whoever stands there did not get the question.
    private final class NoRedirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }
}

extension HTTPResponse {
    /// Foundation has the fields in a dictionary, several `Set-Cookie` in one line: they are taken apart again.
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(status: Status(code: min(max(response.statusCode, 100), 999), reasonPhrase: ""))
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap(HTTPField.Name.init), let value = value as? String else {
                continue
            }
            headerFields[values: name] = name == .setCookie ? SetCookie.fields(folded: value) : [value]
        }
    }
}

extension OutboundFailure {
    fileprivate init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut?: self = .timedOut
        case .cancelled?: self = .cancelled
        case .unsupportedURL?, .badURL?: self = .invalidRequest
        case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
            .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
            .clientCertificateRequired?:
            self = .notTrusted
        case .badServerResponse?, .cannotParseResponse?, .cannotDecodeRawData?: self = .notHTTP
        case .dataLengthExceedsMaximum?: self = .tooLarge
        default: self = error is CancellationError ? .cancelled : .unreachable
        }
    }
}
