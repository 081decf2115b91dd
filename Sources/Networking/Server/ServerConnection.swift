import Glibc
import HTTPMessages
import HTTPWire
import Observability

/// One connection of a server: the shell that does the I/O for `ServerConnectionState`. Confined to its loop.
///
/// Registered once, edge-triggered, for reading and writing both: no system call changes what is waited for. One
/// read per readiness, one write per batch of responses.
///
/// What is used for every request is exempt from the runtime's exclusivity checks: one thread, and no closure that
/// could come back to the same property while it is being changed.
final class ServerConnection: EventReceiver, @unchecked Sendable {
    let server: ServerLoop
    let transport: SocketTransport
    /// Complete when the handshake is done.
    @exclusivity(unchecked) private(set) var peer: ServerRequest.Peer
    /// Where it stands in its loop's list.
    var index = 0

    @exclusivity(unchecked) var state: ServerConnectionState
    @exclusivity(unchecked) var output = OutputBuffer()
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) private(set) var phase = Phase.open

    /// What is being answered.
    @exclusivity(unchecked) var answering: Answering?
    /// The number of the response that is being streamed, and who waits for the socket to take a piece of it.
    var streamedResponse: Int?
    var pieceWaiters: [CheckedContinuation<Void, any Error>] = []
    /// Responses of which somebody wants to hear when the socket has taken them.
    var deliveries: [ResponseDelivery] = []
    /// What whoever answers wants to do when the client has gone.
    var whenGone: (@Sendable () -> Void)?

    @exclusivity(unchecked) private var isReadable = false
    @exclusivity(unchecked) private(set) var hasSeenPeerFinish = false
    @exclusivity(unchecked) private var isPumping = false
    @exclusivity(unchecked) private var flushesAtEndOfRound = false
    /// Whether answering stopped because too much waited for the socket.
    @exclusivity(unchecked) private var wasHeldUp = false
    @exclusivity(unchecked) private var ending: ServerConnectionState.Continuation?
    private var discardedBytes = 0
    /// What was taken of the server's budget for content.
    @exclusivity(unchecked) private var budgetedBytes = 0

    // Deadlines are kept as the moments they count from; a sweep looks at them now and then.
    @exclusivity(unchecked) private var awaited = ServerConnectionState.Awaited.request
    @exclusivity(unchecked) var awaitedSince: MonotonicInstant
    @exclusivity(unchecked) private var blockedSince: MonotonicInstant?
    @exclusivity(unchecked) private var progressSinceBlocked = 0
    private var lingeringSince = MonotonicInstant.distantFuture

    enum Phase {
        case open
        /// The last answer is sent, and what still comes is thrown away.
        case lingering
        case closed
    }

    enum Bounds {
        /// Bytes of responses that may wait for the socket before the next request is begun.
        static let outputHighWater = 256 << 10
        /// Reads from one connection before others get their turn.
        static let readsPerTurn = 16
        /// Bytes that a refused client may still send before it is cut off.
        static let discardedBytes = 8 << 20
        /// Bytes that a slow client has to take within the write deadline.
        static let writeProgressBytes = 16 << 10
    }

    init(server: ServerLoop, transport: SocketTransport, peer: ServerRequest.Peer) {
        self.server = server
        self.transport = transport
        self.peer = peer
        state = ServerConnectionState(limits: server.configuration.connectionLimits)
        parser = RequestParser(limits: server.configuration.limits)
        awaitedSince = server.loop.now
    }

    func receive(_ events: EventSet) {
        if !events.isDisjoint(with: [.failure]) { return close() }
        if !events.isDisjoint(with: [.readable, .peerFinished, .hangUp]) { isReadable = true }
        if !events.isDisjoint(with: [.peerFinished, .hangUp]) {
            hasSeenPeerFinish = true
            tellGone()
        }
        pump()
    }
}

// MARK: Reading

extension ServerConnection {
    /// Does all that can be done now.
    ///
    /// - Parameter mayWrite: whether the socket may take something again, and is to be asked at once.
    func pump(mayWrite: Bool = true) {
        guard !isPumping, phase != .closed else { return }
        isPumping = true
        defer { isPumping = false }
        if phase == .lingering { return discardInput() }
        guard finishHandshake() else { return }
        if mayWrite, output.pendingCount > 0 { flush() }
        proceed()
        var reads = 0
        while isReadable, phase == .open, mayTakeInput {
            guard reads < Bounds.readsPerTurn else {
                server.loop.executeLater { self.pump() }
                return
            }
            reads += 1
            read()
            proceed()
        }
        settle()
    }

    private var mayTakeInput: Bool {
        state.wantsInput && output.pendingCount < Bounds.outputHighWater && ending == nil
    }

    private func read() {
        let buffer = server.readBuffer
        switch transport.read(into: buffer) {
        case .done(let count):
            // Fewer bytes than there was room for: there were no more. The end of the stream, if it has come since,
            // is another edge; if it had come before, it is still to be read.
            if count < buffer.count, transport.tls == nil, !hasSeenPeerFinish { isReadable = false }
            server.statistics.bytesReceived.add(count)
            parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock:
            isReadable = false
        case .closed, .failed:
            isReadable = false
            state.peerFinished()
            parser.finish()
        }
    }

    /// Takes the requests apart and answers them, as far as that goes without waiting: until there is nothing more to be
    /// done, or the socket takes no more.
    private func proceed() {
        repeat {
            answer()
            if state.waitingBodyBytes != budgetedBytes, !adjustBudget() {
                state.refuseAll(.tooMuchContent)
                _ = adjustBudget()
                answer()
            }
            if phase == .open, output.pendingCount > 0 {
                if wasHeldUp { flush() } else { flushAtEndOfRound() }
            }
        } while phase == .open && wasHeldUp && output.pendingCount < Bounds.outputHighWater && ending == nil
    }

    /// Takes of the server's budget what the content that waits needs now, or gives it back. `false` when there is not
    /// enough.
    private func adjustBudget() -> Bool {
        guard phase != .closed else { return true }
        let more = state.waitingBodyBytes - budgetedBytes
        if more > 0 {
            guard server.bodyBudget.take(more) else { return false }
        } else {
            server.bodyBudget.giveBack(-more)
        }
        budgetedBytes += more
        return true
    }

    private func answer() {
        wasHeldUp = false
        while phase == .open {
            if output.pendingCount >= Bounds.outputHighWater {
                wasHeldUp = true
                return
            }
            if ending == nil, let item = state.takeNext() {
                begin(item)
                continue
            }
            if state.takeContinue() {
                server.serialiser.appendContinue(to: &output.bytes)
                continue
            }
            guard mayTakeInput, let event = parser.next() else { return }
            state.receive(event)
        }
    }

    /// Notes what the connection waits for, which its deadline counts from, and closes it once nothing more can come of it.
    private func settle() {
        guard phase == .open else { return }
        let isIdle = Self.isIdle(&parser)
        if ending == nil, output.pendingCount == 0, state.isOver(parserIsIdle: isIdle) { return close() }
        // A client that is still taking a response is not idle, however long it takes.
        let nowAwaited = output.pendingCount > 0 ? .nothing : state.awaited(parserIsIdle: isIdle)
        if nowAwaited != awaited {
            awaited = nowAwaited
            awaitedSince = server.loop.now
        }
    }

    // Lent in place: a plain read would copy the parser, and count references for each of its parts.
    private static func isIdle(_ parser: inout RequestParser) -> Bool { parser.isIdle }

    /// `false` while the handshake goes on, and after it has failed.
    private func finishHandshake() -> Bool {
        guard let tls = transport.tls, !tls.isEstablished else { return true }
        switch tls.handshake() {
        case .done:
            peer.clientCertificate = tls.clientCertificate()
            awaitedSince = server.loop.now
            // The first request may have been read together with the end of the handshake, before the loop has heard
            // of it; there is no event for bytes that the socket no longer holds.
            isReadable = true
            return true
        case .wouldBlock:
            return false
        case .closed:
            server.statistics.failedHandshakes.add()
            close()
        case .failed(.plainHTTP):
            server.statistics.failedHandshakes.add()
            answerPlainHTTP()
        case .failed(.other(let reason)):
            server.statistics.failedHandshakes.add()
            server.logger.debug(
                "TLS handshake failed", [LogField("peer", peer.address), LogField("reason", reason)])
            close()
        }
        return false
    }

    /// Somebody who sends HTTP to a port for HTTPS learns what is wrong.
    private func answerPlainHTTP() {
        let text = "this port speaks HTTPS; use https:// in the URL\n"
        let answer =
            "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
        var bytes = Array(answer.utf8)
        _ = bytes.withUnsafeMutableBytes {
            SocketTransport(descriptor: transport.descriptor, tls: nil).write(.init($0))
        }
        linger()
    }
}

// MARK: Writing

extension ServerConnection {
    /// Gives the socket what it takes.
    func flush() {
        while output.pendingCount > 0 {
            switch output.withPending(transport.write) {
            case .done(let count):
                output.consume(count)
                server.statistics.bytesSent.add(count)
                progressSinceBlocked += count
                if blockedSince != nil, progressSinceBlocked >= Bounds.writeProgressBytes {
                    blockedSince = server.loop.now
                    progressSinceBlocked = 0
                }
            case .wouldBlock:
                if blockedSince == nil {
                    blockedSince = server.loop.now
                    progressSinceBlocked = 0
                }
                return
            case .closed, .failed:
                return close()
            }
        }
        blockedSince = nil
        if !pieceWaiters.isEmpty {
            let waiters = pieceWaiters
            pieceWaiters = []
            for waiter in waiters { waiter.resume() }
        }
        if !deliveries.isEmpty { tellDeliveries() }
        if let ending { end(ending) }
    }

    /// Has what was answered in this round of the loop go out together with what others answered in it. A peer that
    /// sleeps is woken by the first response and finds the rest: to wake it for each would cost more than most of the
    /// answers.
    private func flushAtEndOfRound() {
        guard !flushesAtEndOfRound else { return }
        flushesAtEndOfRound = true
        server.loop.callAtEndOfRound(self)
    }

    func finishRound() {
        flushesAtEndOfRound = false
        guard phase == .open else { return }
        flush()
        settle()
    }

    /// The response that was being written is complete, as far as it depends on us.
    func responseEnded(announcedClose: Bool) {
        awaitedSince = server.loop.now
        let continuation = state.responded(announcedClose: announcedClose)
        guard continuation != .nextRequest else { return }
        flush()
        guard phase == .open else { return }
        if output.pendingCount > 0 { ending = continuation } else { end(continuation) }
    }

    private func end(_ continuation: ServerConnectionState.Continuation) {
        ending = nil
        if continuation == .linger { linger() } else { close() }
    }
}

// MARK: The end

extension ServerConnection {
    private func linger() {
        guard phase == .open else { return }
        phase = .lingering
        lingeringSince = server.loop.now
        isReadable = true
        transport.finishWriting()
        discardInput()
    }

    private func discardInput() {
        while true {
            switch transport.discard(into: server.readBuffer) {
            case .done(let count):
                discardedBytes += count
                if discardedBytes > Bounds.discardedBytes { return close() }
            case .wouldBlock: return
            case .closed, .failed: return close()
            }
        }
    }

    func close() {
        guard release() else { return }
        transport.close()
        failWaiters()
    }

    /// Cuts the connection off: what was sent of a response must not look complete.
    func reset() {
        guard release() else { return }
        transport.reset()
        failWaiters()
    }

    private func release() -> Bool {
        guard phase != .closed else { return false }
        phase = .closed
        server.loop.deregister(transport.descriptor)
        server.remove(self)
        server.bodyBudget.giveBack(budgetedBytes)
        output.discard()
        tellGone()
        return true
    }

    private func failWaiters() {
        let waiters = pieceWaiters
        pieceWaiters = []
        for waiter in waiters {
            waiter.resume(throwing: NetworkingError(.connectionClosed, "the client has gone"))
        }
        tellDeliveries()
    }

    /// The server ends: nothing new is begun here.
    func drain() {
        guard phase == .open else { return }
        state.drain()
        // A request may have come that no event has told of yet.
        isReadable = true
        if state.requestCount == 0 { awaitedSince = server.loop.now }
        pump()
    }
}

// MARK: Deadlines

extension ServerConnection {
    /// When the connection has to be looked at.
    var deadline: MonotonicInstant {
        let deadlines = server.configuration.deadlines
        switch phase {
        case .closed: return .distantFuture
        case .lingering: return lingeringSince + deadlines.lingering
        case .open: break
        }
        if let tls = transport.tls, !tls.isEstablished {
            return awaitedSince + (state.isDraining ? deadlines.drainGrace : deadlines.head)
        }
        let written = blockedSince.map { $0 + deadlines.write } ?? .distantFuture
        return min(written, inputDeadline)
    }

    private var inputDeadline: MonotonicInstant {
        let deadlines = server.configuration.deadlines
        switch awaited {
        case .nothing: return .distantFuture
        case .head: return awaitedSince + deadlines.head
        case .body: return awaitedSince + deadlines.body
        case .request: return awaitedSince + (state.isDraining ? deadlines.drainGrace : deadlines.idle)
        }
    }

    func deadlinePassed(at now: MonotonicInstant) {
        if phase == .lingering { return close() }
        if let tls = transport.tls, !tls.isEstablished {
            server.statistics.failedHandshakes.add()
            return close()
        }
        if let blockedSince, blockedSince + server.configuration.deadlines.write <= now { return reset() }
        switch awaited {
        case .nothing: break
        case .request: close()
        case .head: refuse(.lateHead)
        case .body: refuse(.lateBody)
        }
    }

    private func refuse(_ refusal: Refusal) {
        state.refuse(refusal)
        pump()
    }
}
