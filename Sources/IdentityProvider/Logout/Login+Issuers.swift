import OAuth
import Primitives

extension Login {
    /// Takes a client out: it hears nothing of this login any more.
    mutating func remove(_ clientID: String) {
        clientIDs.removeAll { sameText($0, clientID) }
        issuers[clientID] = nil
    }

    /// The issuer by whose name a client knows this login: the one of its ID tokens. A provider that is reached by several
    /// names has one for the browser and perhaps another for the client's server, and a client refuses what comes in a
    /// name that it does not know.
    func issuerIdentifier(for clientID: String, else issuer: Issuer?) -> String? {
        issuers[clientID] ?? issuer?.identifier
    }
}
