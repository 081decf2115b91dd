#if canImport(WebKit)
import Cookies
import Foundation
import SessionClient
import WebKit

extension WebOrigin {
    /// `nil`: it is opaque, or of a scheme that has no cookies.
    @MainActor
    init?(_ origin: WKSecurityOrigin) {
        guard ["https", "http"].contains(origin.protocol), (0...65535).contains(origin.port) else { return nil }
        // WebKit writes an address of IPv6 without its brackets, and no port as 0.
        let host = origin.host.contains(":") && !origin.host.hasPrefix("[") ? "[\(origin.host)]" : origin.host
        self.init("\(origin.protocol)://\(host)" + (origin.port == 0 ? "" : ":\(origin.port)"))
    }
}
#endif
