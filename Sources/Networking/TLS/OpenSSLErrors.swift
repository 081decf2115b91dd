import COpenSSL

/// The errors that OpenSSL keeps per thread.
enum OpenSSLErrors {
    /// Takes them all out and says what the first one was: the later ones are its consequences.
    static func drain() -> String {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0 else { return "no reason given" }
        if let reason = ERR_reason_error_string(first) { return String(cString: reason) }
        return "OpenSSL error \(first)"
    }

    static func failure(_ what: String) -> NetworkingError {
        NetworkingError(.tls, "\(what): \(drain())")
    }
}
