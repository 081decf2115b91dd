import Primitives

/// Something that has happened in a provider, for whoever looks on. No secret is in it: names, numbers and moments.
package struct ProviderEvent: Sendable, Hashable {
    /// Counts the events of a tenant.
    package internal(set) var number = 0
    package internal(set) var time = Timestamp(secondsSinceEpoch: 0)
    package let kind: Kind
    /// The client that it is about, if it is about one.
    package let clientID: String?
    /// What there is to say beside that.
    package let particulars: JSONObject

    init(_ kind: Kind, client: String? = nil, _ particulars: JSONObject = [:]) {
        self.kind = kind
        clientID = client
        self.particulars = particulars
    }

    /// What sort of thing has happened.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case requestAnswered = "request.answered"
        case tokensIssued = "tokens.issued"
        case tokenRevoked = "token.revoked"
        case refreshJudged = "refresh.judged"
        case familyBegun = "family.begun"
        case familyEnded = "family.ended"
        case loginBegun = "login.begun"
        case loginEnded = "login.ended"
        case clockMoved = "clock.moved"
        case faultFired = "fault.fired"
        case barrierOpened = "barrier.opened"
        case barrierDone = "barrier.done"
        case barrierTimedOut = "barrier.timed_out"
        case stateReset = "state.reset"
    }

    package var json: JSON {
        var object: JSONObject = [
            "id": .number(JSONNumber(Int64(number))), "kind": .string(kind.rawValue), "time": ControlTime.json(time),
        ]
        if let clientID { object["client"] = .string(clientID) }
        for (name, value) in particulars { object[name] = value }
        return .object(object)
    }
}
