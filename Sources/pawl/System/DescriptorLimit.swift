#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many files and connections this process may have open at once.
enum DescriptorLimit {
    /// What the process needs besides its connections: listeners, event loops, files, the log.
    private static let spare = 64

    /// Raises the limit as far as is needed and allowed. Returns the number of connections that there is room for.
    ///
    /// Shells set a low soft limit for the sake of programs that use select(2), which this one does not.
    static func makeRoom(forConnections wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + spare)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            _ = setrlimit(resource, &limit)
            _ = getrlimit(resource, &limit)
        }
        return min(wanted, max(0, Int(clamping: limit.rlim_cur) - spare))
    }
}
