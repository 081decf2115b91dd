import HTTPMessages
import Primitives

extension ControlRequest {
    /// Waits for something while the client does: when it has hung up, the task that waits is cancelled, and its place is
    /// free for another.
    func whileClientWaits<Result: Sendable>(_ wait: @escaping @Sendable () async -> Result) async -> Result {
        guard let presence = request.presence else { return await wait() }
        let waiting = Task { await wait() }
        presence.whenGone { waiting.cancel() }
        return await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            waiting.cancel()
        }
    }

    /// The same for what has a limited number of places. Who finds none is told so: to say that nothing has come would be
    /// wrong.
    func whileClientWaits<Result: Sendable>(
        forOneOf count: Int, _ wait: @escaping @Sendable () async throws(NoRoom) -> Result
    ) async throws(ControlError) -> Result {
        let found: Result? = await whileClientWaits {
            do throws(NoRoom) { return try await wait() } catch { return nil }
        }
        guard let found else { throw .crowded(count) }
        return found
    }
}
