import HTTPMessages
import HTTPWire
import Observability
import Primitives

extension ServerConnection {
    /// What is being answered, with what is needed of it to the end.
    struct Answering {
        let number: Int
        let id: RequestID
        let isHead: Bool
        /// The client speaks 1.0: no chunks, and a connection that stays open is announced.
        let isOld: Bool
        /// The client means to send another request.
        let clientGoesOn: Bool
        let isRefusal: Bool
        /// What was to be sent could not be, and another response takes its place.
        var isReplaced = false
        /// For the access log, if there is one.
        let logged: LoggedRequest?
        var status = HTTPResponse.Status.ok
        var responseBytes = 0
        var announcesClose = false
    }

    /// What the access log wants to know of a request when its response is complete.
    final class LoggedRequest {
        let begin = MonotonicInstant.now()
        let request: HTTPRequest?

        init(_ request: HTTPRequest?) {
            self.request = request
        }
    }

    func begin(_ item: ServerConnectionState.Item) {
        let id = server.nextRequestID()
        let number = state.requestCount
        switch item {
        case .refusal(let refusal):
            answering = Answering(
                number: number, id: id, isHead: false, isOld: false, clientGoesOn: true, isRefusal: true,
                logged: isLogged ? LoggedRequest(nil) : nil)
            respond(refusal.response(server.configuration.refusalRenderer), to: number)
        case .request(let incoming):
            answering = Answering(
                number: number, id: id, isHead: incoming.head.request.method == .head,
                isOld: incoming.head.version == .http10, clientGoesOn: incoming.head.keepAlive, isRefusal: false,
                logged: isLogged ? LoggedRequest(incoming.head.request) : nil)
            server.run(HandlerWorker.Assignment(connection: self, incoming: incoming, id: id, number: number))
        }
    }

    private var isLogged: Bool { server.configuration.accessLog != nil }

    /// Writes the response of the handler, or ours, to request `number`.
    func respond(_ response: ServerResponse, to number: Int) {
        guard phase == .open, answering?.number == number else { return }
        if let delivery = response.delivery { return deliver(response, delivery) }
        if write(response) { finishAnswering() }
    }

    /// Appends a whole response to what waits for the socket. `false`: another was sent in its place.
    func write(_ response: ServerResponse) -> Bool {
        let body: [UInt8]? = if case .bytes(let bytes) = response.body { bytes } else { nil }
        let framing: BodyFraming =
            if Self.hasNoContent(response.head.status) {
                .none
            } else if let body {
                .length(body.count)
            } else {
                isHead ? .none : .length(0)
            }
        guard writeHead(response.head, framing: framing) else { return false }
        if let body, sendsContent(of: response) {
            output.bytes.append(contentsOf: body)
            answering!.responseBytes += body.count
        }
        return true
    }

    /// Appends the head. When it holds what must not be sent, another is sent in its place, and `false` returned.
    private func writeHead(_ head: HTTPResponse, framing: BodyFraming) -> Bool {
        let start = output.bytes.count
        let isLast =
            answering!.isRefusal || framing == .untilClose || state.isLast(clientGoesOn: answering!.clientGoesOn)
        let connection: ResponseSerialiser.Connection =
            isLast ? .close : answering!.isOld ? .keepAlive : .persistent
        answering!.announcesClose = isLast
        answering!.status = head.status
        // A handler whose time is another says so.
        let date = head.headerFields[.date].map { Array($0.utf8) } ?? server.dateBytes()
        do throws(SerialiserError) {
            try server.serialiser.appendHead(
                head, framing: framing, connection: connection, date: date.span, to: &output.bytes)
        } catch {
            server.logger.error(
                "a response cannot be sent",
                [LogField("request", answering!.id.text), LogField("reason", "\(error)")])
            // The renderer's may be no better.
            let render = answering!.isReplaced ? Refusal.plainText : server.configuration.refusalRenderer
            answering!.isReplaced = true
            respond(Refusal.unwritable.response(render), to: answering!.number)
            return false
        }
        appendRequestID()
        answering!.responseBytes = output.bytes.count - start
        server.statistics.countResponse(code: head.status.code)
        return true
    }

    /// Puts the request's id before the empty line that ends the head: cheaper than making room for it among the
    /// handler's fields.
    private func appendRequestID() {
        output.bytes.removeLast()
        output.bytes.removeLast()
        output.bytes.append(Self.requestIDField)
        answering!.id.append(to: &output.bytes)
        output.bytes.append(Self.endOfHead)
    }

    private static let requestIDField: StaticString = "X-Request-Id: "
    private static let endOfHead: StaticString = "\r\n\r\n"

    /// The response is complete: logs it, and goes on to the next request.
    func finishAnswering() {
        let answered = answering!
        if let accessLog = server.configuration.accessLog { accessLog(record(of: answered)) }
        answering = nil
        whenGone = nil
        responseEnded(announcedClose: answered.announcesClose)
        // What others answer in this round goes out with it.
        pump(mayWrite: false)
    }

    private func record(of answered: Answering) -> AccessRecord {
        let request = answered.logged!.request
        let path = request?.path.map { path in path[..<(path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex)] }
        return AccessRecord(
            method: request?.method, path: path.map(String.init), status: answered.status,
            duration: .now() - answered.logged!.begin, responseBytes: answered.responseBytes, peer: peer,
            requestID: answered.id.text)
    }

    private var isHead: Bool { answering!.isHead }

    /// Whether what a response has for content goes out with it.
    func sendsContent(of response: ServerResponse) -> Bool {
        !isHead && !Self.hasNoContent(response.head.status)
    }

    /// RFC 9110 section 6.4.1: responses that never have content.
    private static func hasNoContent(_ status: HTTPResponse.Status) -> Bool {
        status.code == 204 || status.code == 304 || status.code < 200
    }
}

// MARK: Streams

extension ServerConnection {
    func stream(
        _ response: ServerResponse, number: Int, _ produce: @Sendable (any ServerBodyWriter) async throws -> Void
    ) async {
        defer { response.delivery?.gone() }
        if response.delivery?.manner == .dropped { return server.loop.execute { self.close() } }
        guard await server.loop.run({ self.beginStream(response.head, number: number) }) else { return }
        do {
            try await produce(StreamedBodyWriter(connection: self, number: number))
            server.loop.execute { self.endStream(number) }
        } catch {
            server.loop.execute { self.cutOffStream(number) }
        }
    }

    /// `false` when the response has no content to be written.
    private func beginStream(_ head: HTTPResponse, number: Int) -> Bool {
        guard phase == .open, let answering, answering.number == number else { return false }
        let framing: BodyFraming =
            Self.hasNoContent(head.status) ? .none : answering.isOld ? .untilClose : .chunked
        guard writeHead(head, framing: framing) else { return false }
        guard framing != .none, !isHead else {
            finishAnswering()
            return false
        }
        streamedResponse = number
        flush()
        return phase == .open
    }

    /// Takes a piece of the streamed response; `waiter` is resumed when the socket has taken it.
    func writePiece(_ bytes: [UInt8], number: Int, waiter: CheckedContinuation<Void, any Error>) {
        guard phase == .open, streamedResponse == number else {
            return waiter.resume(throwing: NetworkingError(.connectionClosed, "the response has ended"))
        }
        let before = output.bytes.count
        if !answering!.isOld {
            server.serialiser.appendChunk(bytes.span, to: &output.bytes)
        } else {
            output.bytes.append(contentsOf: bytes)
        }
        answering!.responseBytes += output.bytes.count - before
        pieceWaiters.append(waiter)
        flush()
    }

    private func endStream(_ number: Int) {
        guard phase == .open, streamedResponse == number else { return }
        streamedResponse = nil
        // There are no trailers that could be refused.
        if !answering!.isOld { try? server.serialiser.appendLastChunk(to: &output.bytes) }
        finishAnswering()
    }

    /// The last chunk is missing, and the connection is reset: a client cannot take this for the whole.
    private func cutOffStream(_ number: Int) {
        guard phase == .open, streamedResponse == number else { return }
        flush()
        reset()
    }
}
