import Synchronization

/// Something that happens once, whoever is first.
final class Once<Value: Sendable>: Sendable {
    private let body: Mutex<(@Sendable (Value) -> Void)?>

    init(_ body: @escaping @Sendable (Value) -> Void) { self.body = Mutex(body) }

    var isOver: Bool { body.withLock { $0 == nil } }

    func call(_ value: Value) {
        let first = body.withLock { body in
            defer { body = nil }
            return body
        }
        first?(value)
    }
}
