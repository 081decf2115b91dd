import HTTPMessages

extension ProxyRequest {
    /// Works for as long as the browser waits: when it has gone, the task that works is cancelled, and what it held is free for
    /// another.
    ///
    /// A browser that has closed its side alone has gone, too: none does so and reads on.
    func whileBrowserWaits<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        guard let presence = server.presence else { return await work() }
        let working = Task { await work() }
        presence.whenGone { working.cancel() }
        return await withTaskCancellationHandler {
            await working.value
        } onCancel: {
            working.cancel()
        }
    }
}
