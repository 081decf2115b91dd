import HTTPWire

/// What a server's connection does next: a state machine without I/O. The shell feeds it what the parser found and
/// does what it says.
///
/// Requests are answered in the order in which they came, one at a time (RFC 9112 section 9.3.2). What comes while
/// one is being answered waits here, up to a limit.
package struct ServerConnectionState {
    /// What is answered next.
    package enum Item {
        case request(IncomingRequest)
        /// The last thing that is said on the connection.
        case refusal(Refusal)
    }

    /// What the connection waits for, and so which deadline counts.
    package enum Awaited: Equatable {
        /// The first byte of a request.
        case request
        case head
        case body
        /// For the handler or for the socket to take the response: nothing that the client is to send.
        case nothing
    }

    /// How a connection goes on when a response has been written.
    package enum Continuation: Equatable {
        case nextRequest
        case close
        /// Send no more, but read on for a while: a connection that is closed with bytes unread is reset, and the
        /// reset may reach the client before it has read its answer (RFC 9112 section 9.6).
        case linger
    }

    private let limits: ServerConfiguration.ConnectionLimits
    private var partial: IncomingRequest?
    private var waiting: [Item] = []
    /// Bytes of content of what is not being answered yet.
    package private(set) var waitingBodyBytes = 0
    package private(set) var isResponding = false
    /// Nothing that comes now is looked at: the last request, or a refusal, is in.
    private var inputHasEnded = false
    package private(set) var peerHasFinished = false
    package private(set) var isDraining = false
    private var continueIsDue = false
    package private(set) var requestCount = 0

    package init(limits: ServerConfiguration.ConnectionLimits) {
        self.limits = limits
    }
}

// MARK: Input

extension ServerConnectionState {
    /// Whether more events, and so more bytes, are of use now.
    package var wantsInput: Bool {
        !inputHasEnded && (!isResponding || waitingBodyBytes <= limits.pipelinedBodyBytes)
    }

    /// Takes in what the parser has found.
    package mutating func receive(_ event: RequestParser.Event) {
        switch event {
        case .head(let head):
            partial = IncomingRequest(head: head)
            continueIsDue = head.expectsContinue
        case .body(let piece):
            continueIsDue = false
            guard let partial else { preconditionFailure("content without a head") }
            if partial.body.isEmpty { partial.body = piece } else { partial.body += piece }
            waitingBodyBytes += piece.count
        case .end(let trailers):
            continueIsDue = false
            guard let request = partial else { preconditionFailure("an end without a head") }
            partial = nil
            if !trailers.isEmpty { request.trailers = trailers }
            guard waiting.count < limits.pipelinedRequests else { return refuse(.tooManyWaiting) }
            if !request.head.keepAlive { inputHasEnded = true }
            waiting.append(.request(request))
        case .failure(let error):
            refuse(Refusal(error))
        }
    }

    /// Answers what waits, then this, and ends.
    package mutating func refuse(_ refusal: Refusal) {
        if let partial { waitingBodyBytes -= partial.body.count }
        partial = nil
        inputHasEnded = true
        continueIsDue = false
        waiting.append(.refusal(refusal))
    }

    /// Answers this in the place of all that waits, and ends.
    package mutating func refuseAll(_ refusal: Refusal) {
        waiting = []
        partial = nil
        waitingBodyBytes = 0
        refuse(refusal)
    }

    /// The client sends no more. It may still be reading: what it has asked for is answered.
    package mutating func peerFinished() {
        peerHasFinished = true
    }

    /// No request is begun on this connection after the ones that are in.
    package mutating func drain() {
        isDraining = true
    }
}

// MARK: Output

extension ServerConnectionState {
    /// The next thing to answer, when nothing is being answered.
    package mutating func takeNext() -> Item? {
        guard !isResponding, !waiting.isEmpty else { return nil }
        isResponding = true
        requestCount += 1
        let item = waiting.count == 1 ? waiting.removeLast() : waiting.removeFirst()
        if case .request(let request) = item { waitingBodyBytes -= request.body.count }
        return item
    }

    /// Whether `100 Continue` is to be sent now: the client waits with its content for it, and it is that request's
    /// turn (RFC 9110 section 10.1.1).
    package mutating func takeContinue() -> Bool {
        guard continueIsDue, !isResponding, waiting.isEmpty else { return false }
        continueIsDue = false
        return true
    }

    /// Whether the response that is being written is the last one.
    /// - Parameter clientGoesOn: whether the client means to send another request.
    package func isLast(clientGoesOn: Bool) -> Bool {
        !clientGoesOn || (isDraining && waiting.isEmpty && partial == nil)
    }

    /// The response has been written.
    /// - Parameter announcedClose: whether it said that the connection ends.
    package mutating func responded(announcedClose: Bool) -> Continuation {
        isResponding = false
        guard announcedClose else { return .nextRequest }
        inputHasEnded = true
        // Even a client that asked for the end may still send: old ones end their content with an empty line.
        return peerHasFinished ? .close : .linger
    }

    /// Whether nothing more can come of the connection: nothing is in progress, and nothing new is to be begun.
    /// - Parameter parserIsIdle: whether the parser holds no part of a request.
    package func isOver(parserIsIdle: Bool) -> Bool {
        guard !isResponding, waiting.isEmpty else { return false }
        return peerHasFinished || inputHasEnded
            || (isDraining && requestCount > 0 && partial == nil && parserIsIdle)
    }

    /// - Parameter parserIsIdle: whether the parser holds no part of a request.
    package func awaited(parserIsIdle: Bool) -> Awaited {
        if isResponding || !waiting.isEmpty { return .nothing }
        if partial != nil { return .body }
        return parserIsIdle ? .request : .head
    }
}
