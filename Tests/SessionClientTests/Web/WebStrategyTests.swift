import Cookies
import Primitives
import SessionClient
import Testing

/// Each strategy fails where the write-ups say that it fails, and holds where it is said to hold.
@Suite struct WebStrategyTests {
    enum Failure: String, CaseIterable, Sendable {
        case pageBeforeCookies, deletion, oldOverNew, earlyRead, loss, newerInWeb
    }

    /// What does not hold; everything else does.
    static let fails: [WebStrategy: Set<Failure>] = [
        .naiveCopying: [.pageBeforeCookies, .deletion, .loss],
        .twoWayObservation: [.pageBeforeCookies, .oldOverNew, .earlyRead, .loss],
        .markedObservation: [.loss],
        .webStoreAsTruth: [.pageBeforeCookies, .earlyRead, .loss],
        .nativeBackup: [],
        // What a server gives to a page alone is none of a session that the app owns.
        .nativeOwned: [.newerInWeb],
    ]

    @Test(arguments: WebStrategy.allCases, Failure.allCases)
    func failsWhereItIsSaidTo(_ strategy: WebStrategy, _ failure: Failure) throws {
        let holds = Self.holds(strategy, failure)
        let fails = try #require(Self.fails[strategy]).contains(failure)
        #expect(holds != fails, "\(strategy) and \(failure)")
    }

    private static func holds(_ strategy: WebStrategy, _ failure: Failure) -> Bool {
        switch failure {
        case .pageBeforeCookies: holdsThePageBack(strategy)
        case .deletion: carriesDeletions(strategy)
        case .oldOverNew: letsTheNewestWin(strategy)
        case .earlyRead: standsAnEarlyRead(strategy)
        case .loss: standsALoss(strategy)
        case .newerInWeb: takesOverWhatThePageGot(strategy)
        }
    }

    /// S5.
    private static func holdsThePageBack(_ strategy: WebStrategy) -> Bool {
        let contender = Contender(strategy) { $0.writing = 100...100 }
        contender.pass(.seconds(1))
        contender.signIn()
        return contender.open() == 200
    }

    /// S14.
    private static func carriesDeletions(_ strategy: WebStrategy) -> Bool {
        let contender = Contender(strategy)
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(1))
        guard contender.open() == 200 else { return false }
        contender.signOut()
        contender.pass(.seconds(5))
        return contender.webValue == nil && contender.nativeValue == nil
    }

    /// S7.
    private static func letsTheNewestWin(_ strategy: WebStrategy) -> Bool {
        (1...10).allSatisfy { seed in
            let contender = Contender(strategy, seed: UInt64(seed)) { $0.writing = 20...200 }
            contender.pass(.seconds(1))
            for _ in 1...3 {
                contender.signIn()
                contender.pass(.milliseconds(60))
            }
            contender.pass(.seconds(60))
            let writes = contender.surface.writes.count
            contender.pass(.seconds(60))
            let isQuiet = contender.surface.writes.count == writes
            return isQuiet && contender.webValue == "access-3" && contender.nativeValue == "access-3"
        }
    }

    /// S9.
    private static func standsAnEarlyRead(_ strategy: WebStrategy) -> Bool {
        let contender = Contender(strategy) { $0.loading = 500...500 }
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(5))
        contender.relaunch()
        contender.pass(.milliseconds(100))
        let isSignedIn = contender.nativeValue == "access-1"
        contender.pass(.seconds(5))
        return isSignedIn && contender.nativeValue == "access-1" && contender.webValue == "access-1"
    }

    /// S11.
    private static func standsALoss(_ strategy: WebStrategy) -> Bool {
        let contender = Contender(strategy) { $0.lossAtKill = 100 }
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(1))
        contender.open()
        contender.world.view.killContentProcess()
        contender.pass(.seconds(5))
        return contender.nativeValue == "access-1" && contender.webValue == "access-1"
            && contender.world.view.page?.answer.status == 200
    }

    /// S6, S12.
    private static func takesOverWhatThePageGot(_ strategy: WebStrategy) -> Bool {
        let contender = Contender(strategy)
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(1))
        contender.open()
        contender.world.site.set("session=access-2; Path=/; Secure; HttpOnly; Max-Age=86400")
        contender.world.visit()
        contender.pass(.seconds(5))
        return contender.nativeValue == "access-2" && contender.webValue == "access-2"
    }

    // MARK: In one strategy

    @Test func copiesChaseEachOtherWithoutEnd() {
        let contender = Contender(.twoWayObservation) { behaviour in
            behaviour.writing = 50...50
            behaviour.notifying = 10...10
            behaviour.reading = 1...1
        }
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.milliseconds(45))
        contender.signIn()
        contender.pass(.seconds(60))
        #expect(contender.surface.writes.count > 100)
    }

    @Test func marksEndTheChase() {
        for seed in 1...50 {
            let contender = Contender(.markedObservation, seed: UInt64(seed)) { $0.writing = 5...90 }
            for _ in 1...20 {
                contender.signIn()
                contender.pass(.milliseconds(17))
            }
            contender.pass(.seconds(60))
            #expect(contender.surface.writes.count <= 20)
            #expect(contender.webValue == "access-20")
            #expect(contender.nativeValue == "access-20")
        }
    }

    @Test func theAppHearsOfWhatComesAndChangesAndGoes() {
        let contender = Contender(.markedObservation)
        contender.pass(.seconds(1))
        let store = contender.world.view.store
        store.setByNeighbour(contender.world.cookie("theme", "dark"))
        contender.pass(.seconds(1))
        #expect(contender.native.cookies.map(\.value) == ["dark"])
        store.setByNeighbour(contender.world.cookie("theme", "light"))
        contender.pass(.seconds(1))
        #expect(contender.native.cookies.map(\.value) == ["light"])
        store.clearByNeighbour()
        contender.pass(.seconds(1))
        #expect(contender.native.cookies.isEmpty)
        #expect(contender.surface.writes.isEmpty)
    }

    @Test func identicalChangesAreNotWritten() {
        let contender = Contender(.markedObservation)
        contender.signIn()
        contender.pass(.seconds(1))
        let writes = contender.surface.writes.count
        contender.side.nativeReceived([.set(contender.native.cookies[0])])
        contender.pass(.seconds(1))
        #expect(contender.surface.writes.count == writes)
    }

    @Test func anAnswerThatWasLongUnderWayOverwritesTheOnlyStore() {
        let contender = Contender(.webStoreAsTruth)
        contender.signIn()
        contender.pass(.seconds(1))
        contender.world.site.set("session=access-2; Path=/; Secure; HttpOnly; Max-Age=86400")
        contender.world.visit()
        #expect(contender.webValue == "access-2")
        contender.side.nativeReceived([.set(contender.cookie(1))])
        contender.pass(.seconds(1))
        #expect(contender.webValue == "access-1")
    }

    @Test(arguments: [WebStrategy.markedObservation, .nativeBackup, .nativeOwned])
    func aKillInTheMiddleOfAWriteIsMended(_ strategy: WebStrategy) {
        let contender = Contender(strategy) { $0.writing = 300...300 }
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.milliseconds(100))
        contender.world.view.killContentProcess()
        contender.pass(.seconds(5))
        #expect(contender.webValue == "access-1")
    }

    @Test(arguments: [WebStrategy.naiveCopying, .markedObservation, .nativeBackup, .nativeOwned])
    func aStoreThatIsNotLoadedAnyMoreSignsNobodyOut(_ strategy: WebStrategy) {
        let contender = Contender(strategy)
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(1))
        contender.surface.unload()
        contender.world.view.store.setByNeighbour(contender.world.cookie("theme", "dark"))
        contender.pass(.seconds(5))
        #expect(contender.nativeValue == "access-1")
        #expect(contender.webValue == "access-1")
    }

    @Test func theBackupNeverGoesOverWhatIsNewer() {
        let contender = Contender(.nativeBackup) { $0.lossAtKill = 100 }
        contender.signIn()
        contender.pass(.seconds(1))
        contender.world.site.set("session=access-2; Path=/; Secure; HttpOnly; Max-Age=86400")
        contender.world.visit()
        contender.world.site.set()
        contender.pass(.seconds(1))
        // One that is late brings the older state, and then everything is lost.
        contender.world.view.store.setByNeighbour(contender.cookie(1))
        contender.pass(.seconds(1))
        #expect(contender.webValue == "access-2")
        contender.world.view.killContentProcess()
        contender.pass(.seconds(1))
        #expect(contender.webValue == "access-2")
        #expect(contender.nativeValue == "access-2")
    }

    @Test func theBackupBringsBackNobodyWhoHasSignedOut() {
        let contender = Contender(.nativeBackup)
        contender.signIn()
        contender.pass(.seconds(1))
        contender.open()
        contender.signOut()
        contender.pass(.seconds(1))
        contender.world.view.store.setByNeighbour(contender.cookie(1))
        contender.pass(.seconds(1))
        contender.world.view.killContentProcess()
        contender.pass(.seconds(5))
        #expect(contender.webValue == nil)
        #expect(contender.nativeValue == nil)
    }

    @Test func theAppOwnsTheSessionUnlessSomethingElseIsSaid() {
        #expect(WebStrategy.standard == .nativeOwned)
    }

    @Test(arguments: WebStrategy.allCases)
    func aClosedSideDoesNothing(_ strategy: WebStrategy) {
        let contender = Contender(strategy)
        contender.pass(.seconds(1))
        contender.signIn()
        contender.pass(.seconds(1))
        contender.side.close()
        let writes = contender.surface.writes.count
        contender.world.view.store.clearByNeighbour()
        contender.world.view.killContentProcess()
        contender.pass(.seconds(5))
        #expect(contender.surface.writes.count == writes)
    }
}
