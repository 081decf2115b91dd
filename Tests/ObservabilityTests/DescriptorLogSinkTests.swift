import Foundation
import Observability
import Primitives
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct DescriptorLogSinkTests {
    /// A pipe whose reader reads when the test says so.
    private func makePipe() throws -> (reader: FileHandle, writer: FileHandle) {
        let pipe = Pipe()
        return (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    }

    /// Reads to the end on a thread of its own: the pool of the tests has few threads and the sink blocks one in
    /// `flush`.
    private func readingAll(_ reader: FileHandle) -> Task<String, Never> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        Thread {
            continuation.yield(String(decoding: (try? reader.readToEnd()) ?? Data(), as: UTF8.self))
            continuation.finish()
        }.start()
        return Task { await stream.first { _ in true } ?? "" }
    }

    private func logger(_ writer: FileHandle, backlogBytes: Int = DescriptorLogSink.standardBacklogBytes) -> Logger {
        Logger(
            level: .debug, format: .json, descriptor: writer.fileDescriptor, backlogBytes: backlogBytes,
            clock: SystemWallClock())
    }

    @Test func keepsLinesWholeAndInOrderUnderConcurrency() async throws {
        let (reader, writer) = try makePipe()
        let logger = logger(writer)
        let text = readingAll(reader)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        logger.info("said", [LogField("writer", writer), LogField("number", number)])
                    }
                }
            }
        }
        logger.flush(within: .seconds(60))
        try writer.close()
        let lines = await text.value.split(separator: "\n")
        #expect(lines.count == 2000)
        var next = [0, 0, 0, 0]
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let writer = try #require(object["writer"] as? Int)
            #expect(object["number"] as? Int == next[writer])
            next[writer] += 1
        }
    }

    @Test func neverWaitsForAReaderWhoDoesNotReadAndSaysWhatIsMissing() async throws {
        let (reader, writer) = try makePipe()
        let logger = logger(writer, backlogBytes: 8192)
        // A pipe holds 64 KiB: this is far more than pipe and backlog together. It would hang here if it waited.
        for number in 0..<5000 { logger.info("said", [LogField("number", number)]) }
        // Now read everything; what comes next finds room.
        let text = readingAll(reader)
        logger.flush(within: .seconds(60))
        logger.info("after")
        logger.flush(within: .seconds(60))
        try writer.close()
        var counted = 0
        var missing = 0
        for line in await text.value.split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            switch object["message"] as? String {
            case "said": counted += 1
            case "log records dropped": missing += try #require(object["count"] as? Int)
            case "after": break
            default: Issue.record("unexpected line")
            }
        }
        #expect(missing > 0)
        #expect(counted + missing == 5000)
    }

    @Test func doesNotWaitForEverForAReaderWhoDoesNotRead() throws {
        let (reader, writer) = try makePipe()
        let logger = logger(writer)
        for number in 0..<2000 { logger.info("said", [LogField("number", number)]) }
        let start = ContinuousClock.now
        logger.flush(within: .milliseconds(50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(ContinuousClock.now - start < .seconds(30))
        // The sink must be done with the descriptor before it becomes somebody else's.
        try reader.close()
        logger.flush()
    }

    @Test func writesWithoutBeingFlushed() async throws {
        let (reader, writer) = try makePipe()
        logger(writer).info("prompt")
        // Blocks until the line arrives: nobody flushes and nobody closes.
        let line = reader.availableData
        #expect(String(decoding: line, as: UTF8.self).contains("prompt"))
    }

    @Test func survivesAReaderWhoHasGone() throws {
        signal(SIGPIPE, SIG_IGN)
        let (reader, writer) = try makePipe()
        try reader.close()
        let logger = logger(writer)
        logger.info("to nobody")
        logger.flush()
        logger.info("to nobody again")
        logger.flush()
    }

    @Test func isNoTextOnAPipe() throws {
        let (_, writer) = try makePipe()
        #expect(LogFormat.automatic(forDescriptor: writer.fileDescriptor) == .json)
        #expect(!LogFormat.wantsColour(onDescriptor: writer.fileDescriptor))
    }
}
