import Synchronization

/// The connections of an ``OutboundClient`` that go through TLS, made when the first is wanted: reading the authorities
/// that a system trusts takes longer than all else that a server does at its start, and most never need them.
///
/// What was read is kept, and what could not be read is not: a system whose authorities come later is a system whose authorities
/// are there later.
final class OutboundTrust: Sendable {
    /// What a reading has led to.
    struct Reading: Sendable {
        let client: HTTPClient
        /// Whether there was any authority. A system may look for each of its own when it is needed, and then nothing is there
        /// to be kept.
        let hasAuthorities: Bool
    }

    private typealias Making = Task<Result<Reading, NetworkingError>, Never>

    private struct State {
        var kept: HTTPClient?
        var making: Making?
    }

    private let alarm: EventLoopGroup
    private let deadline: Duration
    private let make: @Sendable () throws(NetworkingError) -> Reading
    private let state: Mutex<State>

    /// - Parameters:
    ///   - kept: what was made already.
    ///   - deadline: nobody waits for longer until it is made.
    init(
        keeping kept: HTTPClient?, alarm: EventLoopGroup, deadline: Duration,
        _ make: @escaping @Sendable () throws(NetworkingError) -> Reading
    ) {
        self.alarm = alarm
        self.deadline = deadline
        self.make = make
        state = Mutex(State(kept: kept))
    }

    /// Whoever asks while they are being made waits for the same.
    func client() async throws(NetworkingError) -> HTTPClient {
        if let kept = state.withLock({ $0.kept }) { return kept }
        return try await outcome(of: reading()).get().client
    }

    /// Makes them again. When they were not needed yet, they are made when they are; when they cannot be, those that there are
    /// stay.
    func makeAgain() async throws(NetworkingError) {
        guard state.withLock({ $0.kept }) != nil else { return }
        let made = try await BlockingWork.run(make)
        state.withLock { $0.kept = made.hasAuthorities ? made.client : nil }
    }

    private func reading() -> Making {
        state.withLock { state in
            if let making = state.making { return making }
            let task = Making { [self] in
                let result: Result<Reading, NetworkingError>
                do throws(NetworkingError) { result = .success(try await BlockingWork.run(make)) } catch {
                    result = .failure(error)
                }
                settle(result)
                return result
            }
            state.making = task
            return task
        }
    }

    private func settle(_ result: Result<Reading, NetworkingError>) {
        state.withLock { state in
            state.making = nil
            if case .success(let made) = result, made.hasAuthorities { state.kept = made.client }
        }
    }

    private func outcome(of task: Making) async -> Result<Reading, NetworkingError> {
        await withCheckedContinuation { continuation in
            let answer = Answer(to: continuation)
            Task { answer.give(await task.value) }
            alarm.ring(after: deadline) {
                answer.give(.failure(NetworkingError(.timedOut, "the authorities could not be read in time")))
            }
        }
    }

    /// Given once: what comes later comes too late.
    private final class Answer: Sendable {
        typealias Waiting = CheckedContinuation<Result<Reading, NetworkingError>, Never>

        private let waiting: Mutex<Waiting?>

        init(to waiting: Waiting) { self.waiting = Mutex(waiting) }

        func give(_ result: Result<Reading, NetworkingError>) {
            let waiting = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume(returning: result)
        }
    }
}
