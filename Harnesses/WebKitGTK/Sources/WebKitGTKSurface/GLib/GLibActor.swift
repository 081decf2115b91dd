/// Whatever touches GTK or WebKit is isolated to this.
@globalActor
package actor GLibActor {
    package static let shared = GLibActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        GLibThread.shared.asUnownedSerialExecutor()
    }

    /// For the callbacks of GLib, which are on its thread and whose types do not say so.
    package static func assumeIsolated<Result>(_ body: @GLibActor () throws -> Result) rethrows -> Result {
        GLibThread.shared.checkIsolated()
        return try withoutActuallyEscaping(body) { body in
            // As `MainActor.assumeIsolated` does it: the two types differ in nothing but what was just checked.
            try unsafeBitCast(body, to: (() throws -> Result).self)()
        }
    }
}
