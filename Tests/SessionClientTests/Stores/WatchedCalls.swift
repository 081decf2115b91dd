import Primitives
import SessionClient
import Synchronization

/// The files of the system, with somebody who is asked before each call: whether it may happen, whether it fails, whether the
/// process is killed before it. What he does meanwhile happens between two calls of the store.
final class WatchedCalls: FileCalls {
    enum Call: Hashable {
        case makeDirectory, openDirectory, names, create, open, statusOfFile, status, read, write, synchronise, link
        case rename, remove, makeReadOnly
    }

    enum Verdict {
        case happens
        case fails(Int32)
        /// The process is killed: neither this call nor any later one happens.
        case kills
        /// The process is killed when as many bytes have been written.
        case killsAfterBytes(Int)
        /// What a listing gives is looked through by somebody.
        case lists(@Sendable ([String]) -> [String])
    }

    private let system = SystemFileCalls()
    private let isDead = Mutex(false)
    private let watch: @Sendable (Call, String) -> Verdict

    init(_ watch: @escaping @Sendable (Call, String) -> Verdict) {
        self.watch = watch
    }

    private static let killed = FileFault(code: 4096)

    @discardableResult
    private func ask(_ call: Call, _ name: String = "") throws(FileFault) -> Verdict {
        guard !isDead.withLock({ $0 }) else { throw Self.killed }
        let verdict = watch(call, name)
        switch verdict {
        case .fails(let code): throw FileFault(code: code)
        case .kills:
            isDead.withLock { $0 = true }
            throw Self.killed
        case .happens, .killsAfterBytes, .lists: return verdict
        }
    }

    func makeDirectory(_ path: String) throws(FileFault) {
        try ask(.makeDirectory, path)
        try system.makeDirectory(path)
    }

    func openDirectory(_ path: String) throws(FileFault) -> OpenedFile {
        try ask(.openDirectory, path)
        return try system.openDirectory(path)
    }

    func names(in directory: OpenedFile) throws(FileFault) -> [String] {
        let verdict = try ask(.names)
        let names = try system.names(in: directory)
        if case .lists(let look) = verdict { return look(names) }
        return names
    }

    func create(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile {
        try ask(.create, name)
        return try system.create(name, in: directory)
    }

    func open(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile {
        try ask(.open, name)
        return try system.open(name, in: directory)
    }

    func status(of file: OpenedFile) throws(FileFault) -> FileStatus {
        try ask(.statusOfFile)
        return try system.status(of: file)
    }

    func status(of name: String, in directory: OpenedFile) throws(FileFault) -> FileStatus {
        try ask(.status, name)
        return try system.status(of: name, in: directory)
    }

    func read(_ file: OpenedFile, upTo limit: Int) throws(FileFault) -> [UInt8] {
        try ask(.read)
        return try system.read(file, upTo: limit)
    }

    func write(_ bytes: [UInt8], to file: OpenedFile) throws(FileFault) {
        if case .killsAfterBytes(let count) = try ask(.write) {
            isDead.withLock { $0 = true }
            try system.write(Array(bytes.prefix(count)), to: file)
            throw Self.killed
        }
        try system.write(bytes, to: file)
    }

    func synchronise(_ file: OpenedFile) throws(FileFault) {
        try ask(.synchronise)
        // What a disk does later is nothing that these tests could see, and takes them their time.
    }

    func makeReadOnly(_ file: OpenedFile) throws(FileFault) {
        try ask(.makeReadOnly)
        try system.makeReadOnly(file)
    }

    func link(_ name: String, as other: String, in directory: OpenedFile) throws(FileFault) {
        try ask(.link, other)
        try system.link(name, as: other, in: directory)
    }

    func rename(_ name: String, to other: String, in directory: OpenedFile) throws(FileFault) {
        try ask(.rename, other)
        try system.rename(name, to: other, in: directory)
    }

    func remove(_ name: String, in directory: OpenedFile) throws(FileFault) {
        try ask(.remove, name)
        try system.remove(name, in: directory)
    }
}

extension WatchedCalls {
    /// Has `body` called once, before the call of that number, from 0.
    convenience init(before number: Int, _ body: @escaping @Sendable () -> Void) {
        let count = Mutex(0)
        self.init { _, _ in
            let isTime = count.withLock { count in
                defer { count += 1 }
                return count == number
            }
            if isTime { body() }
            return .happens
        }
    }

    /// Counts what it is asked for.
    static func counting(_ count: CallCount) -> WatchedCalls {
        WatchedCalls { _, _ in
            count.add()
            return .happens
        }
    }
}

final class CallCount: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }

    /// What was counted since the last time.
    func take() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}
