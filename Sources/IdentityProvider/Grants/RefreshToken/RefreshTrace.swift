import HTTPMessages
import Observability
import Synchronization

/// What a grant has found out about a refresh token, for those who answer, log and record the request: a refusal is an
/// error, and an error has no room for it.
final class RefreshTrace: Sendable {
    private struct State {
        var record: RefreshRecord?
        var headers: [RotationPolicy.Header] = []
        var status: Int?
    }

    private let state = Mutex(State())

    var record: RefreshRecord? { state.withLock { $0.record } }

    func present(_ family: FamilyID, _ node: UInt32) {
        state.withLock { $0.record = RefreshRecord(family: family, node: node) }
    }

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
    /// - Parameters:
    ///   - clientID: the client, where the request does not say it.
    ///   - families: the sessions in cookies that the request was about.
    func apply(
        to response: inout ServerResponse, of clientID: String? = nil, about families: [FamilyID] = []
    ) {
        let state = state.withLock { $0 }
        if let status = state.status, response.head.status.code != status {
            response.head.status = HTTPResponse.Status(code: status, reasonPhrase: "")
        }
        for header in state.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            response.head.headerFields[name] = header.value
        }
        response.remark = RequestRemark(
            clientID: clientID, families: families, refresh: state.record, policyFields: state.headers.map(\.name))
    }

    var fields: [LogField] {
        guard let record else { return [] }
        return [
            LogField("family", record.family.description), LogField("node", "\(record.node)"),
            LogField("verdict", record.verdict?.rawValue ?? "-"), LogField("cause", record.cause ?? "-"),
        ]
    }
}
