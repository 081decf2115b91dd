import HTTPMessages
import Primitives

extension ControlRequest {
    /// Waits while the client does, for what has a limited number of places. Who finds none is told so: to say that nothing has come would be
    /// wrong.
    func whileClientWaits<Result: Sendable>(
        forOneOf count: Int, _ wait: @escaping @Sendable () async throws(NoRoom) -> Result
    ) async throws(ControlError) -> Result {
        let found: Result? = await request.whileClientWaits {
            do throws(NoRoom) { return try await wait() } catch { return nil }
        }
        guard let found else { throw .crowded(count) }
        return found
    }
}
