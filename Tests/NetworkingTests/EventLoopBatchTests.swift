import Foundation
import Networking
import Primitives
import Synchronization
import Testing

/// Work of several tasks is done together. The loop is held up here until everybody has come who is to be seen at once.
@Suite(.timeLimit(.minutes(2))) struct EventLoopBatchTests {
    let group: EventLoopGroup
    var loop: EventLoop { group.loops[0] }

    init() throws {
        group = try EventLoopGroup(count: 1)
    }

    /// Holds the loop up; signalling what is returned lets it go on. What comes meanwhile it finds in one round.
    private func held() async -> DispatchSemaphore {
        let hold = DispatchSemaphore(value: 0)
        await withCheckedContinuation { isHeld in
            loop.execute {
                isHeld.resume()
                hold.wait()
            }
        }
        return hold
    }

    private func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
        let hold = await held()
        let tasks = (0..<count).map { number in Task(executorPreference: loop) { await body(number) } }
        hold.signal()
        for task in tasks { await task.value }
    }

    @Test(arguments: [1, 2, 32])
    func doesTheWorkOfAllBeforeAnyOfThemGoesOn(count: Int) async {
        let diary = Diary()
        await atOnce(count) { [group] number in
            await group.perform(Entry(number, in: diary))
            diary.note(.wentOn(number))
        }
        let numbers = Array(0..<count)
        #expect(diary.lines == numbers.map { .done($0) } + numbers.map { .wentOn($0) })
    }

    /// What shares a tool is done at once, and those who wait go on in the order in which they came.
    @Test func doesTogetherWhatHasOneTool() async {
        let diary = Diary()
        await atOnce(6) { [group] number in
            await group.perform(Entry(number, in: diary, with: number.isMultiple(of: 2) ? diary : nil))
            diary.note(.wentOn(number))
        }
        let done: [Diary.Line] = [.together([0, 2, 4])] + [1, 3, 5].map { .done($0) }
        #expect(diary.lines == done + (0..<6).map { .wentOn($0) })
    }

    /// Of what other threads have left, and of tasks that go on.
    @Test(arguments: [false, true]) func letsNobodyWaitForMoreThanABatch(yields: Bool) async {
        let diary = Diary()
        await atOnce(70) { [group] number in
            if yields { await Task.yield() }
            await group.perform(Entry(number, in: diary))
            diary.note(.wentOn(number))
        }
        var expected: [Diary.Line] = []
        for part in [0..<32, 32..<64, 64..<70] {
            expected += part.map { .done($0) } + part.map { .wentOn($0) }
        }
        #expect(diary.lines == expected)
    }

    @Test func letsNobodyWaitForMoreThanABatchOfEvents() async throws {
        let diary = Diary()
        let left = Count()
        let receivers = (0..<40).map { number in
            ReadyReceiver { [loop, group] in
                Task.immediate(executorPreference: loop) {
                    await group.perform(Entry(number, in: diary))
                    diary.note(.wentOn(number))
                    left.increment()
                }
            }
        }
        try await loop.run { [loop] in
            Result { for receiver in receivers { try receiver.register(with: loop) } }
        }.get()
        let hold = await held()
        for receiver in receivers { receiver.makeReady() }
        hold.signal()
        while left.value < receivers.count { await Task.yield() }
        let isWork = diary.lines.map(\.isWork)
        let expected = [(true, 32), (false, 32), (true, 8), (false, 8)].flatMap { Array(repeating: $0, count: $1) }
        #expect(isWork == expected)
        await loop.run { [loop] in for receiver in receivers { loop.deregister(receiver.descriptor) } }
    }

    /// Whoever goes on may ask for more, and that is done together as well.
    @Test func doesWhatIsAskedForAfterwardsTogetherToo() async {
        let diary = Diary()
        await atOnce(3) { [group] number in
            await group.perform(Entry(number, in: diary))
            await group.perform(Entry(10 + number, in: diary))
            diary.note(.wentOn(number))
        }
        #expect(
            diary.lines == [
                .done(0), .done(1), .done(2), .done(10), .done(11), .done(12), .wentOn(0), .wentOn(1), .wentOn(2),
            ])
    }

    /// Somebody who asks again and again keeps nobody else from being heard.
    @Test func givesOthersTheirTurnBetweenBatches() async throws {
        let diary = Diary()
        await atOnce(1) { [group, loop] _ in
            loop.executeLater { diary.note(.wentOn(0)) }
            for number in 0..<100 { await group.perform(Entry(number, in: diary)) }
        }
        #expect(diary.lines.count == 101)
        let turn = try #require(diary.lines.firstIndex(of: .wentOn(0)))
        #expect(turn < 3)
    }

    /// On none of the loops there is nobody to be done with.
    @Test func doesTheWorkOfAStrangerAtOnce() async {
        let diary = Diary()
        let hold = await held()
        await group.perform(Entry(1, in: diary))
        #expect(diary.lines == [.done(1)])
        hold.signal()
    }

    /// Nothing else comes that would wake the loop.
    @Test func doesNotSleepOverWorkThatComesAtTheEndOfARound() async {
        let diary = Diary()
        await withCheckedContinuation { continuation in
            let finisher = Finisher { [loop, group] in
                Task.immediate(executorPreference: loop) {
                    await group.perform(Entry(1, in: diary))
                    continuation.resume()
                }
            }
            loop.execute { [loop] in loop.callAtEndOfRound(finisher) }
        }
        #expect(diary.lines == [.done(1)])
    }

    /// Rounds that end one after the other while the loop does.
    @Test func doesWorkThatComesWhileItEnds() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let diary = Diary()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                group.shutdown()
                Self.workAtEndsOfRounds(4, group, diary) { continuation.resume() }
            }
        }
        #expect(diary.lines == [.done(4), .done(3), .done(2), .done(1)])
    }

    private static func workAtEndsOfRounds(
        _ count: Int, _ group: EventLoopGroup, _ diary: Diary, _ completion: @escaping @Sendable () -> Void
    ) {
        let loop = group.loops[0]
        let finisher = Finisher {
            Task.immediate(executorPreference: loop) {
                await group.perform(Entry(count, in: diary))
                if count == 1 { completion() } else { workAtEndsOfRounds(count - 1, group, diary, completion) }
            }
        }
        loop.callAtEndOfRound(finisher)
    }

    @Test func doesWorkThatItWasAskedForBeforeItWasStopped() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let diary = Diary()
        let hold = DispatchSemaphore(value: 0)
        loop.execute { hold.wait() }
        // The loop comes to these when it knows that it is to end.
        let tasks = (0..<3).map { number in
            Task(executorPreference: loop) {
                for _ in 0..<number { await Task.yield() }
                await group.perform(Entry(number, in: diary))
                await group.perform(Entry(10 + number, in: diary))
            }
        }
        group.shutdown()
        hold.signal()
        for task in tasks { await task.value }
        #expect(diary.lines.count == 6)
    }
}

/// What happened, in its order.
private final class Diary: Sendable {
    enum Line: Equatable {
        case done(Int)
        case together([Int])
        case wentOn(Int)

        var isWork: Bool { if case .wentOn = self { false } else { true } }
    }

    private let written = Mutex<[Line]>([])
    var lines: [Line] { written.withLock { $0 } }

    func note(_ line: Line) { written.withLock { $0.append(line) } }
}

/// Work that notes when it is done.
private final class Entry: BatchedWork {
    private let number: Int
    private let diary: Diary
    private let given: Diary?

    init(_ number: Int, in diary: Diary, with tool: Diary? = nil) {
        self.number = number
        self.diary = diary
        given = tool
    }

    var tool: AnyObject? { given }
    func perform() { diary.note(.done(number)) }
    func perform(_ all: [any BatchedWork]) { diary.note(.together(all.compactMap { ($0 as? Entry)?.number })) }
}

/// Has a descriptor that becomes readable when it is told to.
private final class ReadyReceiver: EventReceiver, Sendable {
    let descriptor: Int32
    private let otherEnd: Int32
    private let whenReady: @Sendable () -> Void

    init(_ whenReady: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        (descriptor, otherEnd) = (ends[0], ends[1])
        self.whenReady = whenReady
    }

    deinit {
        close(descriptor)
        close(otherEnd)
    }

    func register(with loop: EventLoop) throws {
        try loop.register(descriptor, interest: [.readable, .edgeTriggered], receiver: self)
    }

    func makeReady() { write(otherEnd, "x", 1) }

    func receive(_ events: EventSet) { whenReady() }
}

/// Does something when a round ends.
private final class Finisher: EventReceiver, Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func receive(_ events: EventSet) {}
    func finishRound() { body() }
}
