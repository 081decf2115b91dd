import Primitives
import Synchronization
import Testing

/// A batch, of which like is done with like.
@Suite struct BatchedWorkTests {
    private let done = Record()

    private func work(_ name: String, _ tool: Tool? = nil) -> any BatchedWork {
        Piece(name, with: tool, noting: done)
    }

    @Test func doesNothingWhereThereIsNothing() {
        [any BatchedWork]().perform()
        #expect(done.groups == [])
    }

    @Test func doesEachAloneThatHasNoTool() {
        [work("a"), work("b"), work("c")].perform()
        #expect(done.groups == [["a"], ["b"], ["c"]])
    }

    @Test func doesTogetherWhatHasOneTool() {
        let (one, other) = (Tool(), Tool())
        [work("a", one), work("b", other), work("c"), work("d", one), work("e", other), work("f", one)].perform()
        #expect(done.groups == [["a", "d", "f"], ["b", "e"], ["c"]])
    }

    /// There is nothing to be shared.
    @Test func doesAloneWhatIsTheOnlyOneOfItsTool() {
        [work("a", Tool()), work("b", Tool()), work("c")].perform()
        [work("d", Tool())].perform()
        #expect(done.groups == [["a"], ["b"], ["c"], ["d"]])
    }

    /// A piece that says what it is done with, and not how several are done, is done like any other.
    @Test func doesOneAfterTheOtherUnlessToldHow() {
        let tool = Tool()
        let pieces = (0..<3).map { Plain("\($0)", with: tool, noting: done) }
        (pieces as [any BatchedWork]).perform()
        #expect(done.groups == [["0"], ["1"], ["2"]])
    }
}

private final class Tool: Sendable {}

/// What was done, and what together.
private final class Record: Sendable {
    private let noted = Mutex<[[String]]>([])
    var groups: [[String]] { noted.withLock { $0 } }

    func note(_ group: [String]) { noted.withLock { $0.append(group) } }
}

private final class Piece: BatchedWork {
    private let name: String
    private let given: Tool?
    private let record: Record

    init(_ name: String, with tool: Tool?, noting record: Record) {
        self.name = name
        given = tool
        self.record = record
    }

    var tool: AnyObject? { given }
    func perform() { record.note([name]) }
    func perform(_ all: [any BatchedWork]) { record.note(all.map { ($0 as? Piece)?.name ?? "?" }) }
}

private final class Plain: BatchedWork {
    private let name: String
    private let given: Tool
    private let record: Record

    init(_ name: String, with tool: Tool, noting record: Record) {
        self.name = name
        given = tool
        self.record = record
    }

    var tool: AnyObject? { given }
    func perform() { record.note([name]) }
}
