// swift-format-ignore-file
// What the transport over URLSession uses of Foundation, for the compiler alone.

public typealias TimeInterval = Double

extension URLRequest {
    public enum CachePolicy: UInt, Sendable { case reloadIgnoringLocalCacheData = 1 }
    public var httpMethod: String? { get { fatalError() } set {} }
    public var httpBody: Data? { get { fatalError() } set {} }
    public var httpShouldHandleCookies: Bool { get { fatalError() } set {} }
    public var url: URL? { get { fatalError() } set {} }
    public var allHTTPHeaderFields: [String: String]? { get { fatalError() } set {} }
    public var httpBodyStream: InputStream? { get { fatalError() } set {} }
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}
extension URL {
    public var absoluteString: String { fatalError() }
    public var path: String { fatalError() }
}
public class InputStream: NSObject {}
public struct URLComponents: Hashable, Sendable {
    public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { nil }
    public var scheme: String? { fatalError() }
    public var user: String? { fatalError() }
    public var password: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var percentEncodedHost: String? { fatalError() }
    public var percentEncodedPath: String { fatalError() }
    public var percentEncodedQuery: String? { fatalError() }
}
public class FileManager: NSObject, @unchecked Sendable {
    public class var `default`: FileManager { fatalError() }
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}
public class NSURLRequest: NSObject {
    public typealias CachePolicy = URLRequest.CachePolicy
}

extension HTTPCookie {
    public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
    public class func cookies(
        withResponseHeaderFields headerFields: [String: String], for URL: URL
    ) -> [HTTPCookie] { fatalError() }
}

public class URLCache: NSObject, @unchecked Sendable {}
public class URLCredentialStorage: NSObject, @unchecked Sendable {}
public class URLResponse: NSObject, @unchecked Sendable {}
public class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) {
        fatalError()
    }
    public var statusCode: Int { fatalError() }
    public var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

public class URLSessionConfiguration: NSObject, @unchecked Sendable {
    public class var ephemeral: URLSessionConfiguration { fatalError() }
    public var httpCookieStorage: HTTPCookieStorage? { get { fatalError() } set {} }
    public var httpShouldSetCookies: Bool { get { fatalError() } set {} }
    public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get { fatalError() } set {} }
    public var urlCache: URLCache? { get { fatalError() } set {} }
    public var requestCachePolicy: NSURLRequest.CachePolicy { get { fatalError() } set {} }
    public var urlCredentialStorage: URLCredentialStorage? { get { fatalError() } set {} }
    public var timeoutIntervalForRequest: TimeInterval { get { fatalError() } set {} }
    public var timeoutIntervalForResource: TimeInterval { get { fatalError() } set {} }
}

public class OperationQueue: NSObject, @unchecked Sendable {}
public class URLSessionTask: NSObject, @unchecked Sendable {}
public protocol URLSessionDelegate: NSObject, Sendable {}
/// Optional, in Apple's: a method that does not fit is none, and nobody says so. Here whoever lacks it does not compile.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?
}
public class URLSession: NSObject, @unchecked Sendable {
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
    ) {}
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func invalidateAndCancel() {}
}

public struct URLError: Error {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var cancelled: Code { Code(rawValue: -999) }
        public static var badURL: Code { Code(rawValue: -1000) }
        public static var timedOut: Code { Code(rawValue: -1001) }
        public static var unsupportedURL: Code { Code(rawValue: -1002) }
        public static var badServerResponse: Code { Code(rawValue: -1011) }
        public static var cannotDecodeRawData: Code { Code(rawValue: -1015) }
        public static var cannotParseResponse: Code { Code(rawValue: -1017) }
        public static var dataLengthExceedsMaximum: Code { Code(rawValue: -1103) }
        public static var secureConnectionFailed: Code { Code(rawValue: -1200) }
        public static var serverCertificateHasBadDate: Code { Code(rawValue: -1201) }
        public static var serverCertificateUntrusted: Code { Code(rawValue: -1202) }
        public static var serverCertificateHasUnknownRoot: Code { Code(rawValue: -1203) }
        public static var serverCertificateNotYetValid: Code { Code(rawValue: -1204) }
        public static var clientCertificateRejected: Code { Code(rawValue: -1205) }
        public static var clientCertificateRequired: Code { Code(rawValue: -1206) }
    }
    public var code: Code { fatalError() }
}
