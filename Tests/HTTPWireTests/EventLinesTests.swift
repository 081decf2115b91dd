import HTTPWire
import Testing

/// HTML section 9.2.6.
@Suite struct EventLinesTests {
    private func messages(_ text: String, inPiecesOf size: Int = 1 << 20) -> [String] {
        var lines = EventLines()
        var found: [EventLines.Message] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += lines.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        return found.map { "\($0.kind)|\($0.data)" }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func takesEventsApartInWhateverPiecesTheyCome(_ size: Int) {
        let text = ": hello\nretry: 1000\n\nid: 1\nevent: a.b\ndata: {\"x\":1}\n\n:\n\nevent: c\r\ndata:é\r\n\r\n"
        #expect(messages(text, inPiecesOf: size) == ["a.b|{\"x\":1}", "c|é"])
    }

    @Test func joinsTheLinesOfOneEvent() {
        #expect(messages("data: a\ndata:  b\n\n") == ["|a\n b"])
    }

    @Test(arguments: ["event: a\n\n", "data: a\n", "data\n\n", ": data: a\n\n", "\n\n\n", "dat: a\n\n"])
    func givesNoEventThatIsNotComplete(_ text: String) {
        #expect(messages(text).isEmpty)
    }

    @Test func forgetsTheKindWithTheEvent() {
        #expect(messages("event: a\ndata: 1\n\ndata: 2\n\n") == ["a|1", "|2"])
    }

    @Test func givesUpOnALineWithoutEnd() {
        var lines = EventLines()
        let piece = [UInt8](repeating: 0x61, count: EventLines.maximumLineBytes)
        #expect(lines.take(piece).isEmpty && !lines.isBroken)
        #expect(lines.take([0x61]).isEmpty && lines.isBroken)
        #expect(lines.take(Array("\ndata: a\n\n".utf8)).isEmpty)
    }
}
