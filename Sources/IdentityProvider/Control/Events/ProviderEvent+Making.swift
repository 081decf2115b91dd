import HTTPMessages
import OAuth
import Primitives

extension ProviderEvent {
    static func answered(_ passage: Passage, target: String, by response: ServerResponse) -> ProviderEvent {
        var particulars: JSONObject = [
            "request": .string(passage.request.id), "method": .string(passage.request.head.method.rawValue),
            "path": .string(KeptText.of(String(target.prefix { $0 != "?" }))),
            "status": .number(JSONNumber(Int64(response.head.status.code))),
        ]
        if let grantType = passage.grantType { particulars["grant_type"] = .string(KeptText.of(grantType)) }
        if let family = passage.family { particulars["family"] = .string(family.description) }
        let remark = response.remark as? RequestRemark
        let families = remark?.subjects ?? []
        if !families.isEmpty { particulars["families"] = .array(families.map { .string($0.description) }) }
        let logins = remark?.logins ?? []
        if !logins.isEmpty { particulars["logins"] = .array(logins.map { .string($0.text) }) }
        let client = passage.clientID ?? remark?.clientID
        return ProviderEvent(.requestAnswered, client: client.map(KeptText.of), particulars)
    }

    static func judged(_ judgement: Judgement, in request: String) -> ProviderEvent {
        var particulars: JSONObject = [
            "request": .string(request), "family": .string(judgement.family.description),
            "node": .number(JSONNumber(Int64(judgement.node))),
            "verdict": .string(judgement.isGranted ? "granted" : "refused"),
        ]
        if let successor = judgement.successor { particulars["successor"] = .number(JSONNumber(Int64(successor))) }
        if let cause = judgement.cause { particulars["cause"] = .string(cause) }
        return ProviderEvent(.refreshJudged, client: judgement.clientID, particulars)
    }

    static func issued(
        _ token: AccessToken?, to clientID: String, scope: Scope, family: FamilyID?, refreshes: Bool, identifies: Bool
    ) -> ProviderEvent {
        var particulars: JSONObject = [
            "scope": .string(scope.text), "refresh_token": .bool(refreshes), "id_token": .bool(identifies),
        ]
        if let token { particulars["jti"] = .string(token.identifier) }
        if let kid = token?.keyID { particulars["kid"] = .string(kid) }
        if let family { particulars["family"] = .string(family.description) }
        return ProviderEvent(.tokensIssued, client: clientID, particulars)
    }

    /// An access token: what becomes of a family when a refresh token is revoked is an event of its own.
    static func revoked(_ identifier: String) -> ProviderEvent {
        ProviderEvent(.tokenRevoked, ["jti": .string(identifier)])
    }

    static func begun(_ family: Family) -> ProviderEvent {
        ProviderEvent(.familyBegun, client: family.terms.clientID, particulars(of: family))
    }

    static func ended(_ family: Family) -> ProviderEvent {
        var particulars = particulars(of: family)
        particulars["reason"] = family.ended.map { .string($0.reason.rawValue) }
        return ProviderEvent(.familyEnded, client: family.terms.clientID, particulars)
    }

    private static func particulars(of family: Family) -> JSONObject {
        var particulars: JSONObject = [
            "family": .string(family.id.description), "user_id": .string(family.terms.userID),
        ]
        if let login = family.terms.loginID { particulars["login"] = .string(login.text) }
        return particulars
    }

    static func begun(_ login: Login) -> ProviderEvent {
        ProviderEvent(.loginBegun, ["login": .string(login.id.text), "user_id": .string(login.userID)])
    }

    static func ended(_ login: Login) -> ProviderEvent {
        var particulars: JSONObject = ["login": .string(login.id.text), "user_id": .string(login.userID)]
        particulars["reason"] = login.ended.map { .string($0.reason.rawValue) }
        return ProviderEvent(.loginEnded, particulars)
    }

    static func moved(to moment: Timestamp, isFrozen: Bool) -> ProviderEvent {
        ProviderEvent(.clockMoved, ["now": ControlTime.json(moment), "frozen": .bool(isFrozen)])
    }

    static func fired(_ fault: Fault, by passage: Passage) -> ProviderEvent {
        ProviderEvent(
            .faultFired, client: passage.clientID.map(KeptText.of),
            [
                "fault": .string(fault.effect.name), "at": .string(fault.at.rawValue),
                "request": .string(passage.request.id),
            ])
    }

    static func barrier(_ barrier: Barrier) -> ProviderEvent {
        let kind: Kind =
            switch barrier.phase {
            case .gathering, .releasing: .barrierOpened
            case .done: .barrierDone
            case .timedOut: .barrierTimedOut
            }
        return ProviderEvent(
            kind,
            [
                "barrier": .number(JSONNumber(Int64(barrier.id))), "at": .string(barrier.plan.at.rawValue),
                "requests": .array((barrier.released + barrier.held).map(\.json)),
            ])
    }
}
