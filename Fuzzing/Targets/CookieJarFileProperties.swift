import Cookies
import Glibc
import Primitives
import SessionClient

/// Whatever the file of a jar holds: it is a jar, which is saved as it was restored, or it is damaged; and a sign-out goes over both.
///
/// The input begins with a byte: where it is odd, the rest is the file as it lies on the disk, else it is what was sealed in it.
enum CookieJarFileProperties {
    private static let key = Secret([UInt8](0..<32))
    private static let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
    private static let place = SealedFile.Place(purpose: "pawl-cookies", name: "cookies", version: 1)
    /// In memory, where there is such a place: a file is written for each input.
    private static let directory: String = {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        let path = "\(parent)/pawl-fuzz-\(getpid())"
        _ = mkdir(path, 0o700)
        return path
    }()

    static func check(_ input: Span<UInt8>) {
        let input = input.array()
        guard let mode = input.first else { return }
        let content = Array(input.dropFirst())
        let isRaw = mode & 1 == 1
        guard let bytes = isRaw ? content : sealed(content) else { return }
        put(bytes)
        defer { clear() }
        let file = CookieJarFile(directory: directory, key: .bytes(key), clock: clock)
        do throws(SessionStoreError) {
            let restoration = try file.restore()
            require(!isRaw, "nobody restores what was not sealed")
            try checkRestored(restoration, file)
        } catch {
            guard case .corrupt = error else { fatalError("broken: what cannot be read is damaged, and not \(error)") }
        }
        checkForgetting(file)
    }

    private static func checkRestored(
        _ restoration: CookieJarFile.Restoration, _ file: CookieJarFile
    ) throws(SessionStoreError) {
        let jar = restoration.jar()
        for cookie in jar.all {
            require(cookie.refusal == nil, "what is restored may be held")
            require(!cookie.isExpired(at: clock.now()), "and is not over")
        }
        guard case .restored = restoration else { return }
        let outcome = try file.save(jar, epoch: restoration.epoch)
        require(outcome != .forgotten, "what was restored can be saved")
        let again = try file.restore()
        require(again.epoch == restoration.epoch, "of the same epoch")
        let lasting = jar.all.filter { $0.expires != nil }
        require(Set(again.jar().all) == Set(lasting), "and is what lasts of it")
    }

    private static func checkForgetting(_ file: CookieJarFile) {
        let before = (try? file.restore().epoch) ?? 0
        // Nobody counts that far.
        guard before < 1 << 59 else { return }
        guard let epoch = try? file.forget() else { fatalError("broken: a sign-out goes over everything") }
        require(epoch > before, "a sign-out begins an epoch")
        guard case .forgotten(epoch)? = try? file.restore() else { fatalError("broken: what was forgotten stays so") }
        require((try? file.save(CookieJar(), epoch: before)) == .forgotten, "nothing from before comes back")
    }

    private static func sealed(_ payload: [UInt8]) -> [UInt8]? {
        try? SealedFile.seal(
            payload, ancestor: SealedFile.noIdentifier, nonce: [UInt8](repeating: 3, count: 12), with: key, at: place)
    }

    private static func put(_ bytes: [UInt8]) {
        let descriptor = open("\(directory)/cookies.00000000000000000001", O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { fatalError("no place for a file") }
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    private static func clear() {
        guard let listing = opendir(directory) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("cookies") { unlink("\(directory)/\(name)") }
        }
    }
}
