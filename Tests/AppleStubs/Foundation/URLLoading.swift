// swift-format-ignore-file
// What the transport over URLSession uses of Foundation, for the compiler alone.

package typealias TimeInterval = Double

extension URLRequest {
    package enum CachePolicy: UInt, Sendable { case reloadIgnoringLocalCacheData = 1 }
    package var httpMethod: String? { get { fatalError() } set {} }
    package var httpBody: Data? { get { fatalError() } set {} }
    package var httpShouldHandleCookies: Bool { get { fatalError() } set {} }
    package mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}
package class NSURLRequest: NSObject {
    package typealias CachePolicy = URLRequest.CachePolicy
}

extension HTTPCookie {
    package enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
    package class func cookies(
        withResponseHeaderFields headerFields: [String: String], for URL: URL
    ) -> [HTTPCookie] { fatalError() }
}

package class URLCache: NSObject, @unchecked Sendable {}
package class URLCredentialStorage: NSObject, @unchecked Sendable {}
package class URLResponse: NSObject, @unchecked Sendable {}
package class HTTPURLResponse: URLResponse, @unchecked Sendable {
    package var statusCode: Int { fatalError() }
    package var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

package class URLSessionConfiguration: NSObject, @unchecked Sendable {
    package class var ephemeral: URLSessionConfiguration { fatalError() }
    package var httpCookieStorage: HTTPCookieStorage? { get { fatalError() } set {} }
    package var httpShouldSetCookies: Bool { get { fatalError() } set {} }
    package var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get { fatalError() } set {} }
    package var urlCache: URLCache? { get { fatalError() } set {} }
    package var requestCachePolicy: NSURLRequest.CachePolicy { get { fatalError() } set {} }
    package var urlCredentialStorage: URLCredentialStorage? { get { fatalError() } set {} }
    package var timeoutIntervalForRequest: TimeInterval { get { fatalError() } set {} }
    package var timeoutIntervalForResource: TimeInterval { get { fatalError() } set {} }
}

package class OperationQueue: NSObject, @unchecked Sendable {}
package class URLSessionTask: NSObject, @unchecked Sendable {}
package protocol URLSessionDelegate: NSObject, Sendable {}
/// Optional, in Apple's: a method that does not fit is none, and nobody says so. Here whoever lacks it does not compile.
package protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?
}
package class URLSession: NSObject, @unchecked Sendable {
    package init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
    ) {}
    package func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    package func invalidateAndCancel() {}
}

package struct URLError: Error {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static var cancelled: Code { Code(rawValue: -999) }
        package static var badURL: Code { Code(rawValue: -1000) }
        package static var timedOut: Code { Code(rawValue: -1001) }
        package static var unsupportedURL: Code { Code(rawValue: -1002) }
        package static var badServerResponse: Code { Code(rawValue: -1011) }
        package static var cannotDecodeRawData: Code { Code(rawValue: -1015) }
        package static var cannotParseResponse: Code { Code(rawValue: -1017) }
        package static var dataLengthExceedsMaximum: Code { Code(rawValue: -1103) }
        package static var secureConnectionFailed: Code { Code(rawValue: -1200) }
        package static var serverCertificateHasBadDate: Code { Code(rawValue: -1201) }
        package static var serverCertificateUntrusted: Code { Code(rawValue: -1202) }
        package static var serverCertificateHasUnknownRoot: Code { Code(rawValue: -1203) }
        package static var serverCertificateNotYetValid: Code { Code(rawValue: -1204) }
        package static var clientCertificateRejected: Code { Code(rawValue: -1205) }
        package static var clientCertificateRequired: Code { Code(rawValue: -1206) }
    }
    package var code: Code { fatalError() }
}
