import CWebKitGTK

/// Owns an object of GLib, which is released on its thread, wherever its last owner was.
final class GLibObject: Sendable {
    nonisolated(unsafe) let pointer: gpointer
    /// What the object is a part of; then it is that which is owned.
    private let whole: GLibObject?

    /// - Parameter pointer: with a reference of its own.
    init(_ pointer: gpointer) {
        self.pointer = pointer
        whole = nil
    }

    init(_ pointer: gpointer, partOf whole: GLibObject) {
        self.pointer = pointer
        self.whole = whole
    }

    deinit {
        guard whole == nil else { return }
        nonisolated(unsafe) let pointer = pointer
        GLibThread.shared.post { g_object_unref(pointer) }
    }
}

/// One registration for a signal. Neither side keeps the other alive.
@GLibActor
final class GLibSignal {
    private let object: GLibObject
    private var number: gulong?

    /// - Parameters:
    ///   - handler: a function of C in the type that the signal has. Its last argument leads to `owner`.
    init<Handler>(_ object: GLibObject, _ name: String, _ handler: Handler, _ owner: AnyObject) {
        self.object = object
        number = webkitgtk_connect(
            object.pointer, name, unsafeBitCast(handler, to: GCallback.self), Box.retained(Weak(owner)),
            { data, _ in _ = Box<Weak>.taken(data) })
    }

    func disconnect() {
        if let number { g_signal_handler_disconnect(object.pointer, number) }
        number = nil
    }
}

final class Weak {
    weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    /// The owner that a signal was registered with, if it is still there.
    static func owner<Owner: AnyObject>(_ data: gpointer?, _ type: Owner.Type = Owner.self) -> Owner? {
        guard let data else { return nil }
        return Unmanaged<Box<Weak>>.fromOpaque(data).takeUnretainedValue().value.object as? Owner
    }
}
