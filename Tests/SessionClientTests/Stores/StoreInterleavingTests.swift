import SessionClient
import Synchronization
import Testing

/// What happens while a writer or a reader stands between two calls to the system, at each of them: others write, as often as
/// they like.
///
/// Each version is the history of all versions: whoever writes adds his name to what he has read. So a version that was
/// acknowledged and is not in the history was lost, and one that is there and was not acknowledged was written in secret.
@Suite struct StoreInterleavingTests {
    private static let most = 200

    private static func append(_ count: Int, _ files: VersionedFiles) {
        for _ in 0..<count { files.append("o") }
    }

    /// Version 7 has seven names.
    private func expectSoundHistory(
        _ directory: StoreDirectory, _ comment: Comment, at place: SourceLocation = #_sourceLocation
    ) -> String {
        let files = directory.files()
        do {
            let entry = try files.read()?.entry
            let text = String(decoding: entry?.payload ?? [], as: UTF8.self)
            #expect(text.count == Int(entry?.version ?? 0), comment, sourceLocation: place)
            return text
        } catch {
            Issue.record("\(comment): \(error)", sourceLocation: place)
            return ""
        }
    }

    /// The next that is written leaves nothing behind of whatever went before.
    private func expectTidyDirectory(
        _ directory: StoreDirectory, _ comment: Comment, at place: SourceLocation = #_sourceLocation
    ) {
        let before = expectSoundHistory(directory, comment, at: place).count
        #expect(directory.files().append("z") == UInt64(before + 1), comment, sourceLocation: place)
        #expect(directory.versions.count == min(2, before + 1), comment, sourceLocation: place)
        #expect(directory.drafts == [], comment, sourceLocation: place)
    }

    /// What a writer was told is true: his name is in the history, at his version, or nowhere.
    private func expectTruth(
        _ outcome: UInt64?, of name: Character, in history: String, _ comment: Comment,
        at place: SourceLocation = #_sourceLocation
    ) {
        if let outcome {
            #expect(Array(history)[Int(outcome) - 1] == name, comment, sourceLocation: place)
            #expect(history.filter { $0 == name }.count == 1, comment, sourceLocation: place)
        } else {
            #expect(!history.contains(name), comment, sourceLocation: place)
        }
    }

    @Test(arguments: [0, 1, 2, 4], [1, 2, 3, 7])
    func aWriterKnowsWhetherHeHasWrittenWhereverHeIsStopped(base: Int, others: Int) throws {
        for call in 0..<Self.most {
            let directory = try StoreDirectory()
            Self.append(base, directory.files())
            let wasStopped = Mutex(false)
            let calls = WatchedCalls(before: call) {
                wasStopped.withLock { $0 = true }
                Self.append(others, directory.files())
            }
            let text = directory.files().text ?? ""
            let outcome = try directory.files(calls).write(
                Array((text + "A").utf8), over: base == 0 ? nil : UInt64(base))
            guard wasStopped.withLock({ $0 }) else { return }
            let comment: Comment = "call \(call)"
            let history = expectSoundHistory(directory, comment)
            expectTruth(outcome?.version, of: "A", in: history, comment)
            #expect(history.filter { $0 == "o" }.count == base + others, comment)
            expectTidyDirectory(directory, comment)
        }
        Issue.record("a write took more than \(Self.most) calls")
    }

    /// Two who are late at once, one later than the other: the shadow of the one must not pass for what the other knew.
    @Test(arguments: [0, 2], [1, 3])
    func twoWhoAreStoppedWithinEachOtherKnowItToo(base: Int, others: Int) throws {
        for call in 0..<Self.most {
            var wasStopped = false
            for innerCall in 0..<Self.most {
                let directory = try StoreDirectory()
                Self.append(base, directory.files())
                let state = Mutex<(outer: Bool, inner: Bool, outcome: UInt64?)>((false, false, nil))
                let inner = WatchedCalls(before: innerCall) {
                    state.withLock { $0.inner = true }
                    Self.append(others, directory.files())
                }
                let outer = WatchedCalls(before: call) {
                    Self.append(others, directory.files())
                    let outcome = directory.files(inner).append("B")
                    state.withLock { ($0.outer, $0.outcome) = (true, outcome) }
                    Self.append(others, directory.files())
                }
                let text = directory.files().text ?? ""
                let outcome = try directory.files(outer).write(
                    Array((text + "A").utf8), over: base == 0 ? nil : UInt64(base))
                let end = state.withLock { $0 }
                wasStopped = end.outer
                guard end.outer, end.inner else { break }
                let comment: Comment = "calls \(call) and \(innerCall)"
                let history = expectSoundHistory(directory, comment)
                expectTruth(outcome?.version, of: "A", in: history, comment)
                expectTruth(end.outcome, of: "B", in: history, comment)
                expectTidyDirectory(directory, comment)
            }
            guard wasStopped else { return }
        }
        Issue.record("a write took more than \(Self.most) calls")
    }

    /// Asleep after the link, for more versions than a file names: it was written all the same, and others went on from it.
    @Test(arguments: [1, 2, 3, 15, 16, 17, 18, 40])
    func aWriterWhoSleptAfterHeHadWrittenIsToldThatHeHas(others: Int) throws {
        let directory = try StoreDirectory()
        Self.append(3, directory.files())
        let calls = WatchedCalls { call, name in
            // The look that follows the link.
            if call == .status, name == StoreDirectory.file(3), directory.files().text == "oooA" {
                Self.append(others, directory.files())
            }
            return .happens
        }
        #expect(try directory.files(calls).write(Array("oooA".utf8), over: 3)?.version == 4)
        #expect(expectSoundHistory(directory, "") == "oooA" + String(repeating: "o", count: others))
    }

    /// Asleep before the link: the name is free again, and what is linked to it was not written.
    @Test(arguments: [1, 2, 3, 15, 16, 17, 18, 19, 20, 40])
    func aWriterWhoSleptBeforeIsToldThatHeHasNot(others: Int) throws {
        let directory = try StoreDirectory()
        Self.append(3, directory.files())
        let calls = WatchedCalls { call, _ in
            if call == .link { Self.append(others, directory.files()) }
            return .happens
        }
        #expect(try directory.files(calls).write(Array("oooA".utf8), over: 3) == nil)
        #expect(expectSoundHistory(directory, "") == "ooo" + String(repeating: "o", count: others))
        // He takes what he has linked in vain away himself.
        #expect(directory.versions == [2 + others, 3 + others].map { StoreDirectory.file($0) })
        expectTidyDirectory(directory, "")
    }

    /// Asleep before it and after it, so long that what he has linked in vain was swept.
    @Test(arguments: [3, 4, 20], [1, 2, 20])
    func aWriterWhoSleptTwiceIsToldThatHeHasNot(before: Int, after: Int) throws {
        let directory = try StoreDirectory()
        Self.append(3, directory.files())
        let hasLinked = Mutex(false)
        let calls = WatchedCalls { call, name in
            if call == .link {
                Self.append(before, directory.files())
                hasLinked.withLock { $0 = true }
            }
            if call == .status, name == StoreDirectory.file(3), hasLinked.withLock({ $0 }) {
                Self.append(after, directory.files())
            }
            return .happens
        }
        #expect(try directory.files(calls).write(Array("oooA".utf8), over: 3) == nil)
        #expect(expectSoundHistory(directory, "") == String(repeating: "o", count: 3 + before + after))
        expectTidyDirectory(directory, "")
    }

    @Test(arguments: [1, 2, 3, 5], [1, 2, 3, 6])
    func aReaderSeesWhatWasKeptMeanwhileWhereverHeIsStopped(base: Int, others: Int) throws {
        for call in 0..<Self.most {
            let directory = try StoreDirectory()
            Self.append(base, directory.files())
            let wasStopped = Mutex(false)
            let calls = WatchedCalls(before: call) {
                wasStopped.withLock { $0 = true }
                Self.append(others, directory.files())
            }
            let entry = try #require(try directory.files(calls).read()?.entry, "call \(call)")
            guard wasStopped.withLock({ $0 }) else { return }
            #expect((base...base + others).contains(Int(entry.version)), "call \(call)")
            #expect(entry.payload == Array(repeating: UInt8(ascii: "o"), count: Int(entry.version)), "call \(call)")
        }
        Issue.record("a read took more than \(Self.most) calls")
    }

    /// POSIX lets a listing miss whatever comes or goes while it is made. Here it misses all of that, each time.
    @Test(arguments: [0, 1, 2, 5], [1, 2, 3, 4])
    func aListingThatMissesWhatComesAndGoesMisleadsNobody(base: Int, others: Int) throws {
        for rounds in [1, 2, 4, 9] {
            let directory = try StoreDirectory()
            Self.append(base, directory.files())
            let left = Mutex(rounds)
            let calls = WatchedCalls { call, _ in
                guard call == .names, left.withLock({ $0 > 0 }) else { return .happens }
                left.withLock { $0 -= 1 }
                return .lists { names in
                    Self.append(others, directory.files())
                    return names.filter(Set(directory.names).contains)
                }
            }
            let entry = try directory.files(calls).read()?.entry
            let written = directory.files().text?.count ?? 0
            if base > 0 {
                #expect((base...written).contains(Int(try #require(entry).version)))
            }
            #expect(entry.map { $0.payload.count == Int($0.version) } ?? true)
            left.withLock { $0 = rounds }
            let before = directory.files().text ?? ""
            let outcome = try directory.files(calls).write(
                Array((before + "A").utf8), over: before.isEmpty ? nil : UInt64(before.count))
            expectTruth(outcome?.version, of: "A", in: expectSoundHistory(directory, "\(rounds)"), "\(rounds)")
            expectTidyDirectory(directory, "\(rounds)")
        }
    }

    /// An old listing, and one that shows nothing: an entry that is given to another file meanwhile may be missed as well.
    @Test(arguments: [1, 2, 3, 6])
    func aListingWithoutTheLatestMisleadsNobody(base: Int) throws {
        let directory = try StoreDirectory()
        Self.append(base, directory.files())
        for missed in [[base], Array(1...base), Array(2...max(2, base))] {
            let hasListed = Mutex(false)
            let calls = WatchedCalls { call, _ in
                guard call == .names, hasListed.withLock({ !$0 }) else { return .happens }
                hasListed.withLock { $0 = true }
                return .lists { names in names.filter { !missed.map { StoreDirectory.file($0) }.contains($0) } }
            }
            #expect(try directory.files(calls).read()?.entry.version == UInt64(base), "without \(missed)")
        }
    }

    /// A file that a late writer has linked below what is kept, seen by a reader whose listing shows nothing else.
    @Test(arguments: [1, 2, 3, 4, 6])
    func aReaderDoesNotTakeTheShadowOfALateWriter(base: Int) throws {
        let directory = try StoreDirectory()
        Self.append(base, directory.files())
        let shadow = StoreDirectory.file(base + 1)
        let seen = Mutex<(read: UInt64?, isCurrent: Bool?)>((nil, nil))
        let hasSlept = Mutex(false)
        let calls = WatchedCalls { call, name in
            if call == .link, name == shadow { Self.append(5, directory.files()) }
            if call == .status, name == StoreDirectory.file(base), directory.names.contains(shadow),
                hasSlept.withLock({ $0 })
            {
                let first = Mutex(true)
                let reading = WatchedCalls { call, _ in
                    guard call == .names, first.withLock({ $0 }) else { return .happens }
                    first.withLock { $0 = false }
                    return .lists { _ in [shadow, StoreDirectory.file(1)] }
                }
                let version = try? directory.files(reading).read()?.entry.version
                seen.withLock { $0.read = version }
            }
            if call == .link { hasSlept.withLock { $0 = true } }
            return .happens
        }
        let outcome = try directory.files(calls).write([1], over: UInt64(base))
        // Where the name was still taken there is no shadow to be taken for anything.
        if outcome == nil, let read = seen.withLock({ $0.read }) { #expect(read == UInt64(base + 5)) }
        #expect(outcome == nil)
        #expect(base == 1 || seen.withLock { $0.read } != nil)
        expectTidyDirectory(directory, "")
    }

    /// What was not current when it was asked is not, whatever happens meanwhile.
    @Test(arguments: [2, 3, 5])
    func whatWasReplacedIsNeverCurrentAgain(base: Int) async throws {
        for call in 0..<Self.most {
            let directory = try StoreDirectory()
            Self.append(base - 1, directory.files())
            let wasStopped = Mutex(false)
            let calls = WatchedCalls(before: call) {
                wasStopped.withLock { $0 = true }
                Self.append(3, directory.files())
            }
            Self.append(1, directory.files())
            #expect(try !directory.files(calls).isCurrent(UInt64(base - 1), knownAs: nil), "call \(call)")
            guard wasStopped.withLock({ $0 }) else { return }
        }
    }

    /// A late writer has linked a file to the name that was current once: whoever knew that one knows that it is another.
    @Test func aShadowIsNotCurrentForWhoeverKnewTheVersion() async throws {
        let directory = try StoreDirectory()
        let store = directory.store()
        Self.append(4, directory.files())
        #expect(try await store.read()?.version == 4)
        let answer = Mutex<[Bool?]>([])
        let known = try directory.files().read()?.identity
        // Writes over 3, and has read that it is the latest before the fourth came.
        Self.append(3, directory.files())
        try directory.put([1], StoreDirectory.file(4))
        let files = directory.files()
        answer.withLock { $0.append(try? files.isCurrent(4, knownAs: known)) }
        #expect(answer.withLock { $0 } == [false])
        #expect(try await !store.isCurrent(4))
    }
}

extension StoreDirectory {
    fileprivate func text(of version: Int) -> [UInt8]? { bytes(Self.file(version)) }
}
