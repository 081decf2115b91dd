import HTTPMessages
import HTTPWire

/// A request as it comes in. A class, so that it is handed on without its fields being copied each time.
package final class IncomingRequest {
    package let head: RequestHead
    @exclusivity(unchecked) package var body: [UInt8] = []
    @exclusivity(unchecked) package var trailers: HTTPFields = [:]

    package init(head: RequestHead) {
        self.head = head
    }
}
