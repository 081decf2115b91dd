import IdentityProvider
import Synchronization

/// Keeps the log short: what is in it is taken into the database, and put on the disk there, by a thread beside the writer,
/// for that takes longer than many commits where families are many. Then the writer takes over what has come meanwhile,
/// which is little, and the log begins anew.
///
/// All but the flag is for the thread of the writer.
final class LogCare {
    private let queue: Reader.Queue
    private let writeBack: WriteBack
    private let isDone = Atomic<Bool>(false)
    private var isAsked = false
    /// Of the log, when somebody was last asked.
    private var pagesThen = 0

    /// Pages of 4 KiB from which on it is worth while: where families are many each is changed once in a while, and the longer
    /// the log, the fewer waits for the disk are there for as many of them.
    private static let pages = 6000
    /// From here on the writer does it alone, rather than let it grow for ever.
    private static let mostPages = 10_000

    /// How often the thread takes in what has come meanwhile, which is a fraction of what there was before.
    private static let passes = 3

    /// - Parameters:
    ///   - queue: of a thread that can take the log into the database.
    ///   - writeBack: of the database.
    init(_ queue: Reader.Queue, _ writeBack: WriteBack) {
        self.queue = queue
        self.writeBack = writeBack
    }

    func takeCare(after transaction: Transaction) {
        let connection = transaction.connection
        let pages = connection.pagesInLog
        if pages < pagesThen { pagesThen = 0 }
        if isAsked {
            let isDone = isDone.exchange(false, ordering: .acquiringAndReleasing)
            if isDone { isAsked = false }
            if isDone || pages >= Self.mostPages { connection.checkpoint() }
        } else if pages >= pagesThen + Self.pages {
            pagesThen = pages
            isAsked = queue.add(Checkpoint(self))
        }
    }

    /// Touches nothing of what it belongs to but the flag, which is why it may call itself Sendable.
    private final class Checkpoint: Job<Connection>, @unchecked Sendable {
        private let care: LogCare

        init(_ care: LogCare) {
            self.care = care
        }

        override func run(in place: Connection) throws(SQLiteProblem) {
            for _ in 0..<LogCare.passes {
                place.checkpoint()
                care.writeBack.run()
                place.syncDatabase()
            }
        }

        override func answer(telling others: Answer.Others?) {
            care.isDone.store(true, ordering: .releasing)
            super.answer(telling: others)
        }
    }
}
