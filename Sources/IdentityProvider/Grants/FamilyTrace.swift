import HTTPMessages
import Observability
import Synchronization

/// What was found out on the way about the families that a request is about, and about its refresh token, for those who
/// answer, log and record it: a refusal is an error, and an error has no room for it.
final class FamilyTrace: Sendable {
    private struct State {
        var record: RefreshRecord?
        var families: [FamilyID] = []
        var logins: [LoginID] = []
        var tokenClientID: String?
        var headers: [RotationPolicy.Header] = []
        var status: Int?

        mutating func note(_ family: FamilyID) {
            if record?.family != family, !families.contains(family) { families.append(family) }
        }
    }

    private let state = Mutex(State())

    var record: RefreshRecord? { state.withLock { $0.record } }

    /// A refresh token came.
    func present(_ family: FamilyID, _ node: UInt32) {
        state.withLock { $0.record = RefreshRecord(family: family, node: node) }
    }

    /// The request is about a family in another way: it brings an access token of it, begins it, or ends it.
    func concern(_ family: FamilyID) {
        state.withLock { $0.note(family) }
    }

    /// The request has ended logins.
    func noteEnd(of logins: [LoginID]) {
        state.withLock { $0.logins += logins }
    }

    /// The request brings an access token.
    func concern(_ token: AccessTokenFacts) {
        state.withLock { state in
            state.tokenClientID = token.clientID
            if let family = token.familyID { state.note(family) }
        }
    }

    /// The client of the access token that the request brings, which it need not say to everybody.
    var tokenClientID: String? { state.withLock { $0.tokenClientID } }

    /// What the policy said, and what goes with the answer.
    func note(_ verdict: RotationPolicy.Verdict, by policy: RotationPolicy) {
        state.withLock { state in
            state.record?.note(verdict)
            state.headers = policy.headers(for: verdict)
            state.status = verdict.refusal.flatMap(policy.status)
        }
    }

    /// What the policy said was taken back.
    func takeBack() {
        state.withLock { state in
            state.record = state.record.map { RefreshRecord(family: $0.family, node: $0.node) }
            state.headers = []
            state.status = nil
        }
    }

    /// It was refused by something else than the policy.
    func refuse(_ cause: String) {
        state.withLock { state in
            guard state.record?.verdict == nil else { return }
            state.record?.verdict = .refused
            state.record?.cause = cause
        }
    }

    /// Puts into an answer what goes with it, and what is recorded of it.
    ///
    /// - Parameter clientID: the client, where the request does not say it.
    func apply(to response: inout ServerResponse, of clientID: String? = nil) {
        let state = state.withLock { $0 }
        if let status = state.status, response.head.status.code != status {
            response.head.status = HTTPResponse.Status(code: status, reasonPhrase: "")
        }
        for header in state.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            response.head.headerFields[name] = header.value
        }
        response.remark = RequestRemark(
            clientID: clientID, families: state.families, logins: state.logins, refresh: state.record,
            policyFields: state.headers.map(\.name))
    }

    /// What became of the refresh token. Nothing, where it was accepted for another purpose than to be refreshed: the log
    /// has something else to say of that.
    var fields: [LogField] {
        guard let record, record.verdict != nil else { return [] }
        return [
            LogField("family", record.family.description), LogField("node", "\(record.node)"),
            LogField("verdict", record.verdict?.rawValue ?? "-"), LogField("cause", record.cause ?? "-"),
        ]
    }
}
