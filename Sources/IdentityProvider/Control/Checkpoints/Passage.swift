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
        var faults: [String] = []
        var meetings: [BarrierMeeting] = []
    }

    init(
        number: Int, request: ServerRequest, target: String, endpoint: String?, codec: RefreshTokenCodec,
        cookieClient: String?
    ) {
        self.number = number
        self.request = request
        self.endpoint = endpoint
        let fields = request.head.headerFields
        let parameters = NamedClient.parameters(of: request, target: target, at: endpoint)
        clientID =
            NamedClient.identifier(authorization: fields[.authorization], parameters: parameters) ?? cookieClient
        grantType = Self.grantType(in: parameters, at: endpoint)
        let isAboutAToken = endpoint == RevocationEndpoint.location || endpoint == IntrospectionEndpoint.location
        presented =
            parameters[isAboutAToken ? "token" : "refresh_token"].flatMap { codec.read($0) }
            // RFC 8693 section 2.1. No actor is a refresh token.
            ?? parameters["subject_token"].flatMap { codec.read($0) }
            ?? Self.cookies(fields).lazy.compactMap { codec.read($0) }.first
    }

    /// A session in cookies is refreshed by the refresh grant, whose name nobody sends.
    static func grantType(in parameters: FormParameters, at path: String?) -> String? {
        path == SessionRefreshEndpoint.location ? "refresh_token" : parameters["grant_type"]
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

    /// What it has suffered, by the names of the faults.
    var faults: [String] { fate.withLock { $0.faults } }

    /// The barriers that it came to.
    var meetings: [BarrierMeeting] { fate.withLock { $0.meetings } }

    func note(_ meeting: BarrierMeeting) { fate.withLock { $0.meetings.append(meeting) } }

    func suffer(_ effect: Fault.Effect) {
        fate.withLock { fate in
            fate.faults.append(effect.name)
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
        let (manner, status, meetings) = fate.withLock { ($0.manner, $0.status, $0.meetings) }
        if let status {
            // As from something in between, which knows no cookie and lets pages see what went wrong.
            let seen = response.head.headerFields.filter { $0.name.canonicalName.hasPrefix("access-control-") }
            let remark = response.remark
            response = ServerResponse(status: HTTPResponse.Status(code: status, reasonPhrase: ""))
            response.remark = remark
            response.head.headerFields[.cacheControl] = "no-store"
            for field in seen { response.head.headerFields.append(field) }
        }
        // A test that takes for a race what was none is green for nothing.
        for meeting in meetings where meeting.outcome.isFailure {
            response.head.headerFields.append(
                HTTPField(name: BarrierMeeting.fieldName, value: "\(meeting.barrier) \(meeting.outcome.rawValue)"))
        }
        response.delivery = ResponseDelivery(manner, whenGone: whenGone)
    }
}
