import Primitives

extension Alarm {
    /// Waits for a while.
    ///
    /// - Returns: `false`, at once, where the task was cancelled before the while was over.
    @discardableResult
    func pause(for delay: Duration) async -> Bool {
        let pause = FirstResult<Bool>()
        return await withTaskCancellationHandler {
            if !Task.isCancelled { ring(after: delay) { pause.finish(with: true) } }
            return await pause.value
        } onCancel: {
            pause.finish(with: false)
        }
    }
}
