import Primitives

extension Alarm {
    /// What comes of `body`, or something else where that takes too long: then it is cancelled, and not waited for.
    package func first<Value: Sendable>(
        within limit: Duration, or late: Value, _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        let race = FirstResult<Value>()
        let task = Task { race.finish(with: await body()) }
        ring(after: limit) { race.finish(with: late) }
        let value = await race.value
        task.cancel()
        return value
    }
}
