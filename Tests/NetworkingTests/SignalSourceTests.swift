import Foundation
import Networking
import Testing

@Suite struct SignalSourceTests {
    @Test func tellsOfSignalsInsteadOfWhatTheyWouldDo() async {
        await #expect(processExitsWith: .success) {
            let group = try EventLoopGroup(count: 1)
            let source = try SignalSource([.terminate, .interrupt, .hangUp], on: group.next())
            var signals = source.signals.makeAsyncIterator()
            for (number, signal) in [(SIGHUP, ProcessSignal.hangUp), (SIGTERM, .terminate), (SIGINT, .interrupt)] {
                kill(getpid(), number)
                guard await signals.next() == signal else { exit(2) }
            }
            source.stop()
            guard await signals.next() == nil else { exit(3) }
            kill(getpid(), SIGTERM)
            exit(0)
        }
    }

    @Test func leavesTheOthersAlone() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let group = try EventLoopGroup(count: 1)
            let source = try SignalSource([.terminate], on: group.next())
            kill(getpid(), SIGINT)
            for await _ in source.signals {}
        }
    }
}
