import Networking
import Observability
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The end of a server that was told to end.
struct Draining {
    let arguments: Arguments
    let logger: Logger

    /// How far apart two signals are that mean two things.
    private static let leastPatience = Duration.milliseconds(500)

    /// Lets running requests finish, and then `last`; another signal ends the process at once.
    ///
    /// - Parameters:
    ///   - reserve: what requests leave of the bound to what comes last.
    ///   - last: gets what is then left of the bound.
    func drain(
        _ server: HTTPServer, _ signals: SignalSource, reserving reserve: DrainReserve = .nothing,
        _ last: (Duration) async -> Void
    ) async {
        let bound = arguments[ServerOptions.drain]
        logger.info("draining", [LogField("bound", bound)])
        let begin = ContinuousClock.now
        let impatience = Task { [logger] in
            for await signal in signals.signals where signal != .hangUp {
                // timeout(1), and shells, tell both the process and its group: that is one wish said twice.
                guard ContinuousClock.now - begin >= Self.leastPatience else { continue }
                logger.flush()
                exit(130)
            }
        }
        try? await Task.sleep(for: arguments[ServerOptions.notice])
        let drainBegin = ContinuousClock.now
        let cut = await server.drain(within: reserve.forRequests(of: bound))
        await last(reserve.rest(of: bound, after: ContinuousClock.now - drainBegin))
        logger.info("ended", [LogField("cut_off", cut)])
        impatience.cancel()
    }
}
