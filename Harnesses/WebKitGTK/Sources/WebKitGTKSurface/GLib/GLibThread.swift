import CWebKitGTK
import Glibc

/// The thread that GTK and WebKit are used from: it runs GLib's main loop, and is an executor of Swift's beside that.
///
/// WebKit takes the thread that touches it first for its main one, whichever that is. So the main thread of the program stays
/// free for whoever else wants it, a test runner for one.
package final class GLibThread: SerialExecutor {
    package static let shared = GLibThread()

    private let thread: pthread_t

    private init() {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { _ in
                GLibThread.run()
                return nil
            }, nil)
        precondition(failure == 0, "no thread for GLib's main loop: \(failure)")
        self.thread = thread
    }

    private static func run() {
        precondition(gtk_init_check() != 0, "no display to show a web view on: `make webkit` brings one")
        g_main_loop_run(g_main_loop_new(nil, 0))
    }

    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Does something on this thread, later, in the order in which it was asked for; also when asked from this thread.
    func post(_ body: @escaping @Sendable () -> Void) {
        _ = g_idle_add_full(G_PRIORITY_DEFAULT, runOnce, Box.retained(body), nil)
    }

    /// The same after a while.
    func post(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let milliseconds = max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        _ = g_timeout_add_full(
            G_PRIORITY_DEFAULT, guint(clamping: milliseconds), runOnce, Box.retained(body), nil)
    }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on the thread of GLib's main loop")
    }
}

private func runOnce(_ data: gpointer?) -> gboolean {
    Box<@Sendable () -> Void>.taken(data).value()
    return 0
}
