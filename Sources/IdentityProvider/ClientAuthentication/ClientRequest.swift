import HTTPMessages
import OAuth
import Primitives

/// What a client sent, as far as it can say who the client is.
struct ClientRequest: Sendable {
    /// The value of the `Authorization` field.
    let authorization: String?
    let form: FormParameters
    let issuer: PreparedIssuer
    /// Of the endpoint that was asked, below the issuer.
    let path: String
    let now: Timestamp
    /// The address that it came from.
    let peer: String
    let asker: Asker
    /// What the client has shown to the connection.
    let certificate: ClientCertificate?

    /// From the whole request, so that no endpoint can leave out what a client may prove itself by.
    init(
        _ request: ServerRequest, form: FormParameters, to path: String, as issuer: PreparedIssuer, at now: Timestamp,
        in context: ProviderContext
    ) {
        authorization = request.head.headerFields[.authorization]
        self.form = form
        self.issuer = issuer
        self.path = path
        self.now = now
        peer = request.peer.address
        asker = Asker(of: request, readersBy: context.configuration.crossOrigin)
        certificate = request.peer.clientCertificate
    }
}
