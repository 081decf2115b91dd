import Foundation
import HTTPMessages
import SessionClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SessionManager {
    /// Sends a request of Foundation's with the session's token, and once more where the server refused the token and another
    /// could be had.
    ///
    ///     let (data, response) = try await session.data(for: URLRequest(url: url))
    ///
    /// - Throws: `SessionError` where there is no answer; ``RequestError`` where the request is none of HTTP, or has a body that
    ///   is a stream, which could not be sent twice.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard request.httpBodyStream == nil else { throw RequestError.bodyIsStream }
        guard let url = request.url, let converted = HTTPRequest(request) else { throw RequestError.notHTTP }
        let (answer, body) = try await send(converted, body: Array(request.httpBody ?? Data()))
        guard let response = HTTPURLResponse(answer, to: url) else { throw RequestError.notHTTP }
        return (Data(body), response)
    }
}

/// Why a request of Foundation's cannot be sent by a session.
///
///     do { _ = try await session.data(for: request) } catch RequestError.bodyIsStream { readItFirst() }
public enum RequestError: Error, Hashable, Sendable {
    /// Its URL is none of `http` or `https`, or something in it cannot stand in a request.
    case notHTTP
    /// What was refused is sent once more, and a stream is read once.
    case bodyIsStream
}

extension RequestError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .notHTTP: "the request has no URL of http or https, or a field that HTTP does not allow"
        case .bodyIsStream: "a body that is a stream cannot be sent a second time: give it as data"
        }
    }
}
