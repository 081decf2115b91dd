import Primitives
import SessionClient
import Testing

/// Every order in which clients that share a store can refresh, with everything that can go wrong between two steps.
@Suite struct EveryOrderTests {
    private static let wide = ModelServer(window: .seconds(3600))
    private static let strict = ModelServer(window: .zero)

    /// What holds at the end of each order, as long as nobody has signed out.
    private func checkThatTheSessionLives(_ world: RefreshWorld) {
        guard let stored = world.stored, let credential = stored.record.credential else {
            Issue.record("the session has ended: \(world.trail)")
            return
        }
        #expect(!world.server.isRevoked, "\(world.trail)")
        #expect(
            world.server.takes(credential.refreshToken!, at: world.now), "the stored token is spent: \(world.trail)")
        for case let outcome? in world.outcomes {
            switch outcome.result {
            case .success(let got):
                #expect(!got.record.credential!.isExpired(at: world.now), "\(world.trail)")
            case .failure(let error):
                // It may have to try again, but has not lost anything.
                if case .signedOut = error { Issue.record("a client was told to sign in: \(world.trail)") }
            }
        }
    }

    /// R1, R2, R3: nobody presents a token that somebody else has presented, so that the strictest server sees no replay.
    @Test(arguments: [2, 3])
    func R1_R2_R3_onlyOneOfManyPresentsTheToken(count: Int) {
        let orders = RefreshWorld(clients: count, Self.strict).explore { world in
            checkThatTheSessionLives(world)
            #expect(world.server.rotations == 1 && world.server.replays == 0, "\(world.trail)")
            #expect(world.outcomes.allSatisfy { (try? $0?.result.get()) != nil }, "\(world.trail)")
        }
        #expect(orders >= count * 10)
    }

    /// R13: an answer that is lost, or a holder who is killed, costs nothing as long as the server's window is open.
    @Test func R13_aLostAnswerIsAskedForAgain() {
        var world = RefreshWorld(clients: 2, Self.wide)
        (world.losses, world.kills) = (1, 1)
        let orders = world.explore(checkThatTheSessionLives)
        #expect(orders > 100)
    }

    /// R20, S27: a holder who is stuck delays, and what he brings in the end goes over nothing newer.
    @Test func R20_aStuckHolderBlocksNobody() {
        var world = RefreshWorld(clients: 2, Self.wide)
        world.leaps = 1
        let orders = world.explore { world in
            checkThatTheSessionLives(world)
            #expect(world.outcomes.allSatisfy { (try? $0?.result.get()) != nil }, "\(world.trail)")
        }
        #expect(orders > 100)
    }

    /// R14: of two successors of one token the one that was given later is kept, however late the other is written.
    @Test func ofTwoSuccessorsTheLaterOneIsKept() {
        var world = RefreshWorld(clients: 2, ModelServer(window: .seconds(3600), givesAnother: true))
        world.leaps = 1
        let orders = world.explore(checkThatTheSessionLives)
        #expect(orders > 100)
    }

    @Test func everyKindOfTroubleAtOnceCostsNothing() {
        var world = RefreshWorld(clients: 2, Self.wide)
        (world.losses, world.kills, world.leaps) = (1, 1, 1)
        let orders = world.explore(checkThatTheSessionLives)
        #expect(orders > 1000)
    }

    /// R14: whoever is stopped between his claim and his request does not present a token that somebody else has presented since.
    @Test func whoWasStoppedBeforeHisRequestPresentsNothing() {
        var world = RefreshWorld(clients: 2, Self.strict)
        world.leaps = 1
        _ = world.explore { world in
            let answerCameLate = world.trail.firstIndex { $0.hasSuffix("seconds pass") }.map { leap in
                world.trail[..<leap].contains { $0.hasSuffix("presents") }
                    && world.trail[leap...].contains { $0.hasSuffix("hears the answer") }
            }
            if answerCameLate != true { checkThatTheSessionLives(world) }
        }
    }

    /// R6, M1: whatever is on its way when the user signs out, the session stays ended, and no token of it is good.
    @Test func R6_aSignOutIsNotOutlived() {
        for server in [Self.wide, Self.strict] {
            var world = RefreshWorld(clients: 2, server)
            (world.signOuts, world.losses) = (1, 1)
            var seen = 0
            _ = world.explore { world in
                guard world.signOuts == 0 else { return }
                seen += 1
                #expect(world.stored?.record.signOut.reason == .user, "\(world.trail)")
                #expect(world.server.isRevoked, "\(world.trail)")
            }
            #expect(seen > 100)
        }
    }

    /// A server that ends the session is believed, by everybody.
    @Test func aSessionThatTheServerHasEndedEnds() {
        var server = Self.strict
        server.revoke(Secret(utf8: "r1"))
        _ = RefreshWorld(clients: 2, server).explore { world in
            #expect(world.stored?.record.signOut.reason == .refused(code: "invalid_grant"), "\(world.trail)")
            for outcome in world.outcomes {
                guard case .failure(.signedOut(let signOut))? = outcome?.result else {
                    Issue.record("\(world.trail)")
                    continue
                }
                #expect(signOut.reason == .refused(code: "invalid_grant"))
            }
        }
    }

    /// R5, R11: who wants another token than the one that was refused gets another one, and it is fetched once.
    @Test func aRefusedTokenIsReplacedOnce() {
        let mark = CredentialMark(epoch: 1, generation: 1)
        _ = RefreshWorld(clients: 2, Self.strict, goal: .replacing(mark)).explore { world in
            checkThatTheSessionLives(world)
            #expect(world.server.rotations == 1)
            for outcome in world.outcomes { #expect((try? outcome?.result.get())?.mark != mark) }
        }
    }

    /// What the strictest server does with an answer that was lost: the retry is taken for theft, and nobody could have known.
    @Test func aStrictServerEndsWhatWasLostAndTheClientsSaySo() {
        var world = RefreshWorld(clients: 1, Self.strict)
        world.losses = 1
        var ended = 0
        _ = world.explore { world in
            // The answer was lost after the server had judged: the next attempt ends it.
            if world.server.rotations == 1, (try? world.outcomes[0]?.result.get()) == nil { ended += 1 }
        }
        #expect(ended > 0)
    }
}
