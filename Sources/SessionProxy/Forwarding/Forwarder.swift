import HTTPMessages
import Observability
import Primitives
import SessionClient

/// Sends what a browser asks on to the upstream, with the token of its session.
struct Forwarder: Sendable {
    let configuration: ProxyConfiguration
    let cookies: ProxyCookies
    let upstream: any Upstream
    let logger: Logger

    /// Why there is no answer of the upstream.
    enum Failure: Error {
        case session(SessionError)
        case upstream(OutboundFailure)
    }

    /// Contents up to this many bytes are read before the answer goes out, which then has a length; longer ones pass through.
    private static let collectedByteCount = 64 << 10

    func forward(_ request: ProxyRequest, for session: BrowserSession) async throws(SessionError) -> ServerResponse {
        let outgoing = OutgoingRequest(upstream: configuration.upstream, origin: configuration.origin, cookies: cookies)
            .make(of: request)
        do throws(Failure) {
            let answer = try await exchange(outgoing, of: request, for: session)
            return try await response(answer, to: request, of: session)
        } catch {
            switch error {
            case .session(let error): throw error
            case .upstream(let failure): return respond(to: failure)
            }
        }
    }

    /// Once more after a 401, and not a third time: what comes then is the answer.
    private func exchange(
        _ outgoing: HTTPRequest, of request: ProxyRequest, for session: BrowserSession
    ) async throws(Failure) -> UpstreamAnswer {
        let body = request.server.body
        let token: AccessToken
        do throws(SessionError) { token = try await session.manager.accessToken() } catch { throw .session(error) }
        let answer = try await attempt(outgoing, body, token)
        guard Self.refusesTheToken(answer.head, of: request) else { return answer }
        let fresh: AccessToken?
        do throws(SessionError) { fresh = try await session.replacement(for: token) } catch {
            answer.body.close()
            throw .session(error)
        }
        guard let fresh else { return answer }
        answer.body.close()
        let second = try await attempt(outgoing, body, fresh)
        if Self.refusesTheToken(second.head, of: request) { session.isUnwelcome(fresh) }
        return second
    }

    /// Whether a 401 is about the token, and nothing was done.
    ///
    /// RFC 6750 section 3: a server that refuses a token says so by a challenge of scheme Bearer. A 401 without one may be the
    /// upstream's own, of a password that was wrong, say: what changes something would be done twice, and is not sent again
    /// (RFC 9110 section 9.2.2). What only reads may come again, for servers that say nothing.
    private static func refusesTheToken(_ head: HTTPResponse, of request: ProxyRequest) -> Bool {
        guard head.status == .unauthorized else { return false }
        return request.isSafe
            || head.headerFields[values: .wwwAuthenticate].flatMap { Challenges.read($0) }
                .contains { $0.isOf(scheme: "Bearer") }
    }

    private func attempt(
        _ request: HTTPRequest, _ body: [UInt8], _ token: AccessToken
    ) async throws(Failure) -> UpstreamAnswer {
        var request = request
        request.headerFields[.authorization] =
            "Bearer " + token.secret.withBytes { String(decoding: $0, as: UTF8.self) }
        do throws(OutboundFailure) { return try await upstream.send(request, body: body) } catch {
            throw .upstream(error)
        }
    }

    private func response(
        _ answer: UpstreamAnswer, to request: ProxyRequest, of session: BrowserSession
    ) async throws(Failure) -> ServerResponse {
        let head = ReturnedHead(upstream: configuration.upstream, cookies: cookies).make(of: answer.head)
        var response = ServerResponse(status: head.status, headerFields: head.headerFields)
        let (source, logger, presence) = (answer.body, logger, request.server.presence)
        if request.head.method == .head || [204, 304].contains(head.status.code) {
            source.close()
        } else if let length = answer.head.headerFields[.contentLength].flatMap({ Int($0) }),
            length <= Self.collectedByteCount
        {
            response.body = .bytes(try await collected(source))
        } else {
            response.body = .stream { writer in
                defer { source.close() }
                // Where nothing is written, nothing fails: an upstream that has nothing to say would be waited for.
                presence?.whenGone { source.close() }
                do {
                    while let piece = try await source.next() {
                        // A stream does not outlast the session that it was asked for with.
                        guard !session.hasEnded else { throw SessionError.signedOut(SignOut(.user)) }
                        try await writer.write(piece)
                    }
                } catch OutboundFailure.cancelled {
                    logger.debug("the browser has gone")
                    throw OutboundFailure.cancelled
                } catch let failure as OutboundFailure {
                    logger.warning("an answer of the upstream broke off", [LogField("reason", failure.description)])
                    throw failure
                }
            }
        }
        return response
    }

    private func collected(_ body: any UpstreamBody) async throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(OutboundFailure) {
            while let piece = try await body.next() { bytes += piece }
        } catch {
            throw .upstream(error)
        }
        return bytes
    }

    private func respond(to failure: OutboundFailure) -> ServerResponse {
        if failure != .cancelled {
            logger.warning("the upstream gives no answer", [LogField("reason", failure.description)])
        }
        switch failure {
        case .cancelled:
            logger.debug("the browser has gone")
            return ProxyAnswer.browserHasGone
        case .timedOut:
            return ProxyAnswer.error(
                .gatewayTimeout, "upstream_timeout", "the server behind the proxy did not answer in time")
        case .tooManyAtOnce:
            return ProxyAnswer.error(
                .serviceUnavailable, "too_busy", "too many requests are on their way", [.retryAfter: "1"])
        case .invalidRequest, .notAllowed:
            return ProxyAnswer.error(.badRequest, "invalid_request", "such a request cannot be passed on")
        case .unreachable, .notTrusted, .tooLarge, .notHTTP:
            return ProxyAnswer.error(.badGateway, "upstream_unreachable", "the server behind the proxy gives no answer")
        }
    }
}

extension HTTPResponse.Status {
    static let gatewayTimeout = Self(code: 504, reasonPhrase: "Gateway Timeout")
    static let misdirected = Self(code: 421, reasonPhrase: "Misdirected Request")
}
