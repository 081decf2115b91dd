// swift-format-ignore-file
// What the adapter for WebKit uses of Dispatch, for the compiler alone.

public final class DispatchQueue: @unchecked Sendable {
    public class var main: DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable () -> Void) {}
}
