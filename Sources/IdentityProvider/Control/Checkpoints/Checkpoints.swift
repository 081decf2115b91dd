import HTTPMessages
import Observability
import Primitives
import Synchronization

/// The points that requests pass, and whoever listens there: faults, barriers, the stream of events, and somebody who was
/// handed in. One mechanism for all of them, and one look at one number when there is nobody.
package final class Checkpoints: Sendable {
    package let faults: Faults
    package let barriers: Barriers
    package let events: EventLog
    private let listener: (any CheckpointListener)?
    private let audience: Audience
    private let alarm: any Alarm
    private let delayed: WaitingRoom
    private let passages = Atomic<Int>(0)

    /// Requests that may wait at once, delayed or held. One more is not held at all.
    package static let maximumWaitingCount = 1000

    init(alarm: any Alarm, clock: any WallClock, listener: (any CheckpointListener)?, logger: Logger) {
        let audience = Audience()
        let events = EventLog(alarm: alarm, clock: clock, audience: audience)
        self.audience = audience
        self.alarm = alarm
        self.events = events
        self.listener = listener
        faults = Faults(audience: audience)
        delayed = WaitingRoom(capacity: Self.maximumWaitingCount)
        barriers = Barriers(
            alarm: alarm, audience: audience, events: events, logger: logger, capacity: Self.maximumWaitingCount)
        if listener != nil { audience.set(.listener, true) }
    }

    /// Whether anybody listens, or has listened to a request that is still on its way.
    @inline(__always)
    var isWatched: Bool { !audience.isEmpty }

    /// Whether anybody listens to requests that come now.
    var hasListeners: Bool { audience.isThere }

    /// Passes a checkpoint. Whoever listens may hold the request there.
    ///
    /// Its callers look first whether anybody does: most often nobody, and to enter an asynchronous function takes a lock.
    ///
    ///     if checkpoints.isWatched { await checkpoints.pass(.codeReceived) }
    func pass(_ checkpoint: Checkpoint, noting judgement: Judgement? = nil) async {
        guard let passage = Passage.current else { return }
        if let judgement {
            passage.note(judgement)
            events.record(.judged(judgement, in: passage.request.id))
        }
        barriers.passed(checkpoint, by: passage.number)
        for fault in faults.take(at: checkpoint, for: passage) {
            events.record(.fired(fault, by: passage))
            passage.suffer(fault.effect)
            if case .delay(let duration) = fault.effect {
                await delayed.hold { [delayed] ticket in
                    alarm.ring(after: duration) { delayed.release(ticket) }
                }
            }
        }
        await barriers.hold(passage, at: checkpoint)
        if let listener { await listener.reached(checkpoint, by: passage) }
    }

    /// Has a request pass from its beginning to its end.
    ///
    /// - Parameters:
    ///   - cookieClient: the client whose cookies come with it, if that can be told.
    ///   - record: called with the answer as it is about to leave.
    func watch(
        _ request: ServerRequest, target: String, endpoint: String?, codec: RefreshTokenCodec,
        cookieClient: @autoclosure () -> String?, answer: () async -> ServerResponse,
        record: (ServerResponse, Passage) -> Void
    ) async -> ServerResponse {
        let number = passages.wrappingAdd(1, ordering: .relaxed).newValue
        let passage = Passage(
            number: number, request: request, target: target, endpoint: endpoint, codec: codec,
            cookieClient: cookieClient())
        audience.beginPassage()
        defer { audience.endPassage() }
        return await Passage.$current.withValue(passage) {
            await pass(.requestReceived)
            var response = await answer()
            await pass(.responseSending)
            passage.apply(to: &response) { [barriers] in barriers.passed(.responseSent, by: number) }
            record(response, passage)
            events.record(.answered(passage, target: target, by: response))
            return response
        }
    }

    /// Nothing goes wrong any more, and nobody is held.
    func reset() {
        faults.removeAll()
        barriers.removeAll()
        delayed.releaseAll()
        events.reset()
    }

    /// Nobody is held any longer: the provider ends.
    package func stopWaiting() {
        barriers.removeAll()
        delayed.releaseAll()
        events.close()
    }

    /// Requests that are delayed now.
    package var delayedCount: Int { delayed.count }
}
