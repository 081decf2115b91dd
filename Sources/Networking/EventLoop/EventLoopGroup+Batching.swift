import Primitives

extension EventLoopGroup: Batching {
    /// In the caller's loop, before the round ends. A caller on none of these loops has it done at once.
    package func perform(_ work: any BatchedWork) async {
        await withUnsafeContinuation { continuation in
            if let loop = current {
                loop.addToBatch(work, for: continuation)
            } else {
                work.perform()
                continuation.resume()
            }
        }
    }
}
