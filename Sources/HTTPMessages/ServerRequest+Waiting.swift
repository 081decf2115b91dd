extension ServerRequest {
    /// Works for as long as the client waits: when it has hung up, the task that works is cancelled, and what it held is free for
    /// another. A client that has closed its side alone has hung up, too.
    ///
    ///     let batch = await request.whileClientWaits { await events.next() }
    package func whileClientWaits<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        guard let presence else { return await work() }
        let working = Task { await work() }
        presence.whenGone { working.cancel() }
        return await withTaskCancellationHandler {
            await working.value
        } onCancel: {
            working.cancel()
        }
    }
}
