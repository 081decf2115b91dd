import COpenSSL

/// The errors that OpenSSL keeps per thread.
enum OpenSSLErrors {
    /// ERR_SYSTEM_FLAG: the rest is an `errno`, for which the library has no words.
    private static let systemFlag: UInt = 1 << 31

    /// Takes them all out and says what the first one was: the later ones are its consequences.
    static func drain() -> String {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0 else { return "no reason given" }
        if first & systemFlag != 0 {
            let text = NetworkingError.text(of: Int32(truncatingIfNeeded: first & ~systemFlag))
            return text.prefix(1).lowercased() + text.dropFirst()
        }
        if let reason = ERR_reason_error_string(first) { return String(cString: reason) }
        return "OpenSSL error \(first)"
    }

    static func failure(_ what: String) -> NetworkingError {
        NetworkingError(.tls, "\(what): \(drain())")
    }
}
