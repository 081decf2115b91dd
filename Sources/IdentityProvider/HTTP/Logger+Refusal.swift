import HTTPMessages
import OAuth
import Observability

extension Logger {
    /// Logs what was refused and why. The cause stands here alone: the client is told the public description.
    ///
    /// What is our own fault stands out; what is not is no more than information.
    func refused(
        _ event: StaticString, _ error: OAuthError, _ request: ServerRequest,
        also more: @autoclosure () -> [LogField] = []
    ) {
        log(
            error.code.status >= 500 ? .error : .info, event,
            [
                LogField("request", request.id), LogField("error", error.code.rawValue),
                LogField("reason", error.cause ?? error.publicDescription),
            ] + more())
    }
}
