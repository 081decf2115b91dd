#if !canImport(CryptoKit)
import COpenSSL

extension CryptoError {
    /// The failure of an OpenSSL call, with the first reason of the error queue of this thread. The queue is left
    /// empty, so that no later call takes an old failure for its own. Reasons are fixed texts: they hold no data.
    static func library(_ operation: String) -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else {
            return .library(operation: operation, reason: "unknown reason")
        }
        return .library(operation: operation, reason: String(cString: reason))
    }
}

/// What OpenSSL allocates is only missing when memory is, and nothing sensible can be done then.
func allocated(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { preconditionFailure("OpenSSL is out of memory") }
    return pointer
}
#endif
