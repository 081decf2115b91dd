import Primitives

extension PushedRequest: KeptRecord {
    package var forgettable: Timestamp? { expires }

    /// Takes a request out, if it is there still and `judge` says that the right client asks.
    package static func take(
        _ request: inout PushedRequest?, at now: Timestamp, if judge: (PushedRequest) -> Bool
    ) -> PushedRequest? {
        guard let found = request, now < found.expires, judge(found) else { return nil }
        request = nil
        return found
    }

    package func isMeant(by isMeant: (_ userID: String?, _ clientID: String) -> Bool) -> Bool { isMeant(nil, clientID) }
}
