import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// A request on its way past the checkpoints: who it says that it is, and what is to go wrong with it.
///
/// It is made only while somebody listens, and goes along with the task of the request.
package final class Passage: Sendable {
    @TaskLocal package static var current: Passage?

    /// Counts the requests that somebody listened to.
    package let number: Int
    package let request: ServerRequest
    /// The endpoint's path; `nil`: there is none.
    package let endpoint: String?
    /// The client that the request names, proven or not.
    package let clientID: String?
    package let grantType: String?
    /// Of the refresh token that it presents, if that is one of ours.
    package let presented: (family: FamilyID, node: UInt32)?
    private let fate = Mutex(Fate())

    private struct Fate {
        var manner = ResponseDelivery.Manner.whole
        var status: Int?
        var isStoreFailing = false
        var judgement: Judgement?
    }

    init(
        number: Int, request: ServerRequest, target: String, endpoint: String?, codec: RefreshTokenCodec,
        cookieClient: String?
    ) {
        self.number = number
        self.request = request
        self.endpoint = endpoint
        let fields = request.head.headerFields
        let isForm = fields[.contentType].map(MediaType.isForm) == true
        let parameters = NamedClient.parameters(target: target, form: isForm ? request.body : [])
        clientID =
            NamedClient.identifier(authorization: fields[.authorization], parameters: parameters) ?? cookieClient
        grantType = parameters["grant_type"]
        presented =
            parameters["refresh_token"].flatMap { codec.read($0) }
            ?? Self.cookies(fields).lazy.compactMap { codec.read($0) }.first
    }

    /// A session in cookies sends its refresh token in one of them. Nobody else can make what looks like one of ours.
    private static func cookies(_ fields: HTTPFields) -> [String] {
        let sent = RequestCookies(fields)
        return sent.names.flatMap { sent[values: $0].map(String.init) }
    }

    /// The family that it is known to be about so far.
    package var family: FamilyID? { presented?.family ?? judgement?.family }

    package var judgement: Judgement? { fate.withLock { $0.judgement } }

    var isStoreFailing: Bool { fate.withLock { $0.isStoreFailing } }

    func note(_ judgement: Judgement) { fate.withLock { $0.judgement = judgement } }

    func suffer(_ effect: Fault.Effect) {
        fate.withLock { fate in
            switch effect {
            case .delay: break
            case .drop: fate.manner = .dropped
            case .cut(let contentBytes): fate.manner = .cut(contentBytes: contentBytes)
            case .repeating: fate.manner = .repeated
            case .status(let code): fate.status = code
            case .failingStore: fate.isStoreFailing = true
            }
        }
    }

    /// What the answer becomes on its way out.
    func apply(to response: inout ServerResponse, whenGone: @escaping @Sendable () -> Void) {
        let (manner, status) = fate.withLock { ($0.manner, $0.status) }
        if let status {
            // As from something in between, which knows no cookie and lets pages see what went wrong.
            let seen = response.head.headerFields.filter { $0.name.canonicalName.hasPrefix("access-control-") }
            let remark = response.remark
            response = ServerResponse(status: HTTPResponse.Status(code: status, reasonPhrase: ""))
            response.remark = remark
            response.head.headerFields[.cacheControl] = "no-store"
            for field in seen { response.head.headerFields.append(field) }
        }
        response.delivery = ResponseDelivery(manner, whenGone: whenGone)
    }
}
