import Primitives

/// One value in a directory that processes share, each version of it a file of its own: `NAME.<version, 20 digits>`.
///
/// There is no lock: a system that stops apps kills the one that holds a lock of a shared file, and a process that hangs would
/// hold it for ever. Instead `link(2)` decides who is first. A version is written under a name of nobody's, put on the disk,
/// and then linked to the name of the next version, which fails where somebody was faster. Files do not change once they have
/// their name.
///
/// What is older than the previous version is removed, and with that its name is free again. So a writer who was stopped
/// while others wrote three versions can link his own to a name that has been there before, below what is kept. He must not
/// believe that he has written, and nobody may read it. Why that is so:
///
/// 1. Names are freed from below: whoever removes the file of version k has just removed that of k - 1, and only who has put
///    a version above k + 1 on the disk removes it. The name of version 1 is never freed: an empty file takes its place.
/// 2. A file that has lost its name never gets it again; one that takes the name is another file.
/// 3. So, as long as the name of version k leads to *the same file* as before, the name of k + 1 was never freed: what is
///    linked to it, or is there, is the first file that ever had the name. (For k = 0: the name of 1 is never freed.)
/// 4. **A writer** over k looks, after he has linked k + 1, whether k is still the file that it was. If so, he was the first,
///    by 3, and his version was the highest at the moment of `link`. Only the first who links k + 1 is ever told that he has
///    written it: an acknowledged version has one writer, and nothing was above it. If not, others have written since, and he
///    looks whether they did so over his. Each version names the one that it was written over, and
///    whatever has the name of k + 2 names the first file of k + 1. If nothing has, and k + 1 is still his, then by 3 nobody
///    has written over his: k is gone, so there was a k + 2, and it can have gone only after the first file of k + 1. And if
///    k + 1 is not his any more, then his file is read-only or not: so it is made by whoever removes one that was written
///    over, before he removes it, and no other.
/// 5. **A reader** opens the highest version h that he finds, sees that there is no h + 1, and then that h - 1 is the one that
///    h names as its ancestor. By 3, h is the first file of its name, and h + 1 cannot have been there and gone, so that at
///    the moment when he saw no h + 1, h was what is kept. Otherwise he looks again: whoever made him do so has written.
///
/// What a reader sees may not be on the disk yet, if it is this very moment being written; whoever writes over it puts both
/// names there, with the one `fsync` of the directory.
///
/// All of it is done where it is called, without a hop to a thread that may block: a few small calls to the system, whose
/// `fsync` takes what a disk takes, at the most a few times an hour. Nothing waits for another process.
package struct VersionedFiles: Sendable {
    let directory: String
    let name: String
    /// What kind of value it is; see ``SealedFile/Place``.
    let purpose: String
    let key: StoreKey
    let clock: any WallClock
    let random: any RandomSource
    let calls: any FileCalls
    let greatestPayloadByteCount: Int

    /// How often a reader looks again, each time because somebody has just written.
    static let attemptLimit = 64
    /// How often a file is seen alone, without the one that should be before it, until that is taken for what is there: its
    /// ancestor was removed by hand.
    static let patienceWithOrphans = 32

    func path(of file: String) -> String { directory.hasSuffix("/") ? directory + file : directory + "/" + file }

    func place(_ version: UInt64) -> SealedFile.Place {
        SealedFile.Place(purpose: purpose, name: name, version: version)
    }
}

// MARK: Names

extension VersionedFiles {
    private static let digitCount = 20

    /// Letters, digits, `-` and `_`: no name of a store is the beginning of a file of another.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    func fileName(_ version: UInt64) -> String {
        let digits = String(version)
        return name + "." + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits
    }

    func version(ofFile file: String) -> UInt64? {
        let digits = file.utf8.dropFirst(name.utf8.count + 1)
        guard file.hasPrefix(name + "."), digits.count == Self.digitCount,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        // None has the number 0, and one that 64 bits do not hold is nobody's.
        return UInt64(String(Substring(digits))).flatMap { $0 == 0 ? nil : $0 }
    }

    var keyName: String { name + ".key" }
    var draftPrefix: String { name + ".draft." }
}

// MARK: The directory

extension VersionedFiles {
    /// `nil` where there is none.
    func openDirectory() throws(SessionStoreError) -> OpenedFile? {
        let opened: OpenedFile
        do {
            opened = try calls.openDirectory(directory)
        } catch {
            if error.isMissing { return nil }
            throw error.when("open", directory)
        }
        let status: FileStatus
        do { status = try calls.status(of: opened) } catch { throw error.when("look at", directory) }
        if let refusal = status.refusal(of: directory, wanted: .directory) { throw refusal }
        return opened
    }

    func openOrMakeDirectory() throws(SessionStoreError) -> OpenedFile {
        if let opened = try openDirectory() { return opened }
        do { try makeDirectory(directory) } catch { throw error.when("make", directory) }
        guard let opened = try openDirectory() else {
            throw .failed(reason: "\(directory) was removed as soon as it was made")
        }
        return opened
    }

    /// And those above it.
    private func makeDirectory(_ path: String) throws(FileFault) {
        let parent = Self.parent(of: path)
        do {
            try calls.makeDirectory(path)
        } catch {
            guard error.isMissing, parent != path else { throw error }
            try makeDirectory(parent)
            try calls.makeDirectory(path)
        }
        // Without this the name may be gone when the power has failed. A parent that is a link, or that may not be read, has
        // to do without.
        if let opened = try? calls.openDirectory(parent) { try? calls.synchronise(opened) }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
