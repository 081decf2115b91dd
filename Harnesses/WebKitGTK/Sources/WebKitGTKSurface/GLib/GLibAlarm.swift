import Primitives

/// Rings on the thread of GLib's main loop.
package struct GLibAlarm: Alarm {
    package init() {}

    package func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        GLibThread.shared.post(after: delay, body)
    }
}
