import Foundation
import HTTPMessages
import SessionClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the requests of a session by `URLSession`, and lets that do nothing by itself: no cookies, no cache, no stored
/// credentials, no redirects. Whatever else in the app uses the shared stores sees nothing of it and changes nothing (S17).
/// On Linux, what is given up keeps its connection until the timeout.
///
///     let transport = URLSessionTransport(timeout: .seconds(5))
///     let session = SessionManager(configuration: configuration, store: store, transport: transport)
public final class URLSessionTransport: OutboundRequests {
    /// Of an answer: 16 MiB.
    public static let largestAnswer = 16 << 20

    private let session: URLSession
    private let largestAnswer: Int

    /// - Parameters:
    ///   - timeout: for a whole exchange. A session manager gives up a refresh by itself, and sooner.
    ///   - configuration: to begin with; what this type promises is put over it.
    ///   - largestAnswer: in bytes; a longer one is a failure.
    public init(
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

    /// Sends it once, and follows no redirect.
    public func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        guard let converted = URLRequest(request, body: body) else { throw .invalidRequest }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await exchange(converted) } catch { throw OutboundFailure(error) }
        guard let answer = response as? HTTPURLResponse else { throw .notHTTP }
        guard data.count <= largestAnswer else { throw .tooLarge }
        return (HTTPResponse(answer), Array(data))
    }

    private func exchange(_ request: URLRequest) async throws -> (Data, URLResponse) {
        try Task.checkCancellation()
        #if canImport(FoundationNetworking)
        // Where a request is cancelled as its answer comes, the thread that cancels and the one that brings the answer wait for
        // each other for ever (swift-corelibs-foundation, issue 5412; mended after Swift 6.3). So none is cancelled: whoever
        // waits goes on without it, and it comes to its end by itself, at the timeout at the latest.
        let first = FirstResult<Result<(Data, URLResponse), any Error>>()
        let session = session
        Task {
            do { first.finish(with: .success(try await session.data(for: request))) } catch {
                first.finish(with: .failure(error))
            }
        }
        return try await withTaskCancellationHandler {
            try await first.value.get()
        } onCancel: {
            first.finish(with: .failure(CancellationError()))
        }
        #else
        return try await session.data(for: request)
        #endif
    }

    /// Hands a redirect back as it is: whoever stands there did not get the question.
    private final class NoRedirects: NSObject, URLSessionTaskDelegate {
        #if canImport(FoundationNetworking)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
        #else
        // Of the two forms, the one whose type no version of Apple's headers has changed: a method that is optional there,
        // and all but fits, is never called, and redirects would be followed.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }
        #endif
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
