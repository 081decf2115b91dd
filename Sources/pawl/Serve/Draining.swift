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
    func drain(_ server: HTTPServer, _ signals: SignalSource, _ last: () async -> Void) async {
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
        let cut = await server.drain(within: bound)
        await last()
        logger.info("ended", [LogField("cut_off", cut)])
        impatience.cancel()
    }
}
