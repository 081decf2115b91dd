import Networking
import Primitives

extension EventLoopGroup {
    /// Has the work done, and waits until it is.
    func perform(_ work: any BatchedWork) async {
        await withUnsafeContinuation { add(work, for: $0) }
    }
}
