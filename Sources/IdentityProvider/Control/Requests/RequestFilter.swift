import Primitives

/// Which requests somebody wants to see.
package struct RequestFilter: Sendable {
    package var clientID: String?
    /// Below the tenant, without the query.
    package var path: String?
    /// Those after this number.
    package var since = 0

    package init() {}

    func admits(_ record: RequestRecord) -> Bool {
        guard record.number > since else { return false }
        if let path, !sameText(path, record.path) { return false }
        if let clientID, record.clientID.map({ sameText($0, clientID) }) != true { return false }
        return true
    }
}
