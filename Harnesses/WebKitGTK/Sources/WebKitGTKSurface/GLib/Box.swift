import CWebKitGTK

/// A value of Swift's on its way through the `gpointer` of a callback.
final class Box<Value> {
    let value: Value

    private init(_ value: Value) { self.value = value }

    /// To be taken once.
    static func retained(_ value: Value) -> gpointer {
        Unmanaged.passRetained(Box(value)).toOpaque()
    }

    static func taken(_ data: gpointer?) -> Box {
        guard let data else { preconditionFailure("a callback without its data") }
        return Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
    }
}
