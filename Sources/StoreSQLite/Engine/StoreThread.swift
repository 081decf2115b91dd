#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread for what would hold up a loop.
enum StoreThread {
    /// Runs `body` on a thread of its own. `false` when there can be none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Gives what is left of the caller's turn to those who wait for the core that it is on, if anybody does.
    static func letOthersRun() { sched_yield() }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
