import CSQLite
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Has what was written to a file go on its way to the disk little by little, before it is put there: all at once it would
/// keep the disk busy for many commits, each of which waits for the disk.
///
/// It is a matter of time alone: nothing is on the disk for good before a sync says so.
package final class WriteBack: Sendable {
    private let descriptor: Atomic<Int32>
    private let isHurried = Atomic<Bool>(false)

    /// As much of the file is looked at at once, whatever of it was written.
    private static let bytesAtOnce: Int64 = 1 << 20
    /// The disk is left to others for so many times as long as it was used.
    private static let restFactor: Int64 = 3
    private static let longestRestInNanoseconds: Int64 = 20_000_000

    /// A file that cannot be opened is put on the disk all at once.
    package init(of path: String) { descriptor = Atomic(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) }

    deinit { close() }

    /// The locks that SQLite has on the file go with any descriptor of it: to be asked when everybody has closed the database.
    func close() {
        let descriptor = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        if descriptor >= 0 { Self.close(descriptor) }
    }

    /// Nobody is to wait for it any more.
    package func hurry() { isHurried.store(true, ordering: .relaxed) }

    package func run() {
        var status = stat()
        let descriptor = descriptor.load(ordering: .acquiring)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return }
        for start in stride(from: 0, to: Int64(status.st_size), by: Int64.Stride(Self.bytesAtOnce)) {
            guard !isHurried.load(ordering: .relaxed) else { return }
            let began = Self.now()
            guard pawl_write_back(descriptor, start, Self.bytesAtOnce) == 0 else { return }
            let rest = Self.restFactor * (Self.now() - began)
            // Where nothing was written, nothing took any time.
            if rest >= 100_000 { Self.sleep(min(rest, Self.longestRestInNanoseconds)) }
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func sleep(_ nanoseconds: Int64) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(nanoseconds))
        nanosleep(&time, nil)
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
        Glibc.close(descriptor)
        #elseif canImport(Musl)
        Musl.close(descriptor)
        #endif
    }
}
