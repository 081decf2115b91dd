#if canImport(Glibc)
import Foundation
import Glibc
import SessionClient
import TestSupport
import Testing

/// Several processes with one store (S24, S27), with the disk that they really have.
@Suite struct StoreProcessTests {
    /// The program that runs these tests, asked to run no more than the part of a child.
    private static func start(_ directory: StoreDirectory, writes: Int) throws -> RunningProcess {
        var environment = ProcessRunner.environment
        environment[StoreErrand.directoryVariable] = directory.path
        environment[StoreErrand.countVariable] = "\(writes)"
        return try RunningProcess(
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
            ["--testing-library", "swift-testing", "--filter", "StoreChild"], environment: environment)
    }

    private static func acknowledged(_ process: RunningProcess) -> [UInt64] {
        process.output.lines.compactMap { line in
            line.hasPrefix(StoreErrand.mark) ? UInt64(line.dropFirst(StoreErrand.mark.count)) : nil
        }
    }

    @Test func eachVersionHasOneWriterAndNoneIsLost() async throws {
        let directory = try StoreDirectory()
        let (processCount, writeCount) = (4, 25)
        let processes = try (0..<processCount).map { _ in try Self.start(directory, writes: writeCount) }
        for process in processes {
            let code = await process.waitForExit()
            _ = await process.output.first { _ in false }
            #expect(code == 0, "\(process.output.text)\(process.errors.text)")
        }
        let versions = processes.flatMap(Self.acknowledged)
        #expect(versions.sorted() == (1...UInt64(processCount * writeCount)).map { $0 })
        let last = try #require(try await directory.store(key: .file).read())
        #expect(last == StoredEntry(version: last.version, payload: Array("\(last.version)".utf8)))
        #expect(directory.versions.count == 2 && directory.drafts == [])
    }

    /// Killed wherever they are. What they were told stays true, and those who live are not held up.
    @Test func whoeverIsKilledTakesNothingWithHim() async throws {
        let directory = try StoreDirectory()
        var told: [UInt64] = []
        for round in 0..<6 {
            let processes = try (0..<3).map { _ in try Self.start(directory, writes: .max) }
            for (index, process) in processes.enumerated() {
                let bound = (round + index) % 4
                let line = await process.output.first { $0.hasPrefix(StoreErrand.mark) && $0.hasSuffix("\(bound)") }
                #expect(line != nil, "\(process.output.text)\(process.errors.text)")
                process.send(SIGKILL)
            }
            for process in processes {
                #expect(await process.waitForExit() == 128 + SIGKILL)
                _ = await process.output.first { _ in false }
            }
            told += processes.flatMap(Self.acknowledged)
            #expect(Set(told).count == told.count)
            let store = directory.store(key: .file)
            let last = try #require(try await store.read())
            #expect(last.version >= told.max() ?? 0)
            #expect(last.payload == Array("\(last.version)".utf8))
            let next = last.version + 1
            #expect(try await store.write(Array("\(next)".utf8), over: last.version) == .written(next))
            told.append(next)
        }
    }
}

/// What a child is told, and how it answers.
private enum StoreErrand {
    static let directoryVariable = "PAWL_STORE_CHILD_DIRECTORY"
    static let countVariable = "PAWL_STORE_CHILD_COUNT"
    static let mark = "written "
}

/// What a child does, in a process that was started for it: it counts, and says so line by line.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[StoreErrand.directoryVariable] != nil, "for a child alone"))
struct StoreChild {
    @Test func countsOn() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment[StoreErrand.directoryVariable])
        let count = try #require(environment[StoreErrand.countVariable].flatMap { Int($0) })
        let store = EncryptedFileStore(directory: path, clock: StoreDirectory.clock)
        var written = 0
        while written < count {
            let entry = try await store.read()
            let next = (entry?.version ?? 0) + 1
            guard try await store.write(Array("\(next)".utf8), over: entry?.version) == .written(next) else { continue }
            written += 1
            // Past the buffer of the library: a process that is killed has said it.
            let line = Array("\(StoreErrand.mark)\(next)\n".utf8)
            #expect(Glibc.write(STDOUT_FILENO, line, line.count) == line.count)
        }
    }
}
#endif
