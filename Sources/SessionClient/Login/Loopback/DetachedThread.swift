#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread for what waits in the system: a task that did so would keep one of the few threads that run all tasks (R21).
enum DetachedThread {
    /// Runs `body` on a thread of its own, which nobody waits for. `false` when there can be none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let box = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, nil,
            { argument in
                // Signals are for the threads of the program.
                var everySignal = sigset_t()
                sigfillset(&everySignal)
                pthread_sigmask(SIG_BLOCK, &everySignal, nil)
                #if canImport(Darwin)
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                #else
                Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                #endif
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return false
        }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
