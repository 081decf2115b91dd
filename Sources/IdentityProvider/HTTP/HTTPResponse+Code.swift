import HTTPMessages

extension HTTPResponse.Status {
    /// The status of an error, with its phrase.
    init(errorCode code: Int) {
        let known: [Self] = [.badRequest, .unauthorized, .forbidden, .notFound, .serviceUnavailable]
        self = known.first { $0.code == code } ?? .internalServerError
    }
}
