import Primitives

/// Which requests somebody wants to see.
package struct RequestFilter: Sendable {
    package var clientID: String?
    /// Below the tenant, without the query.
    package var path: String?
    /// One that it was about.
    package var family: FamilyID?
    /// One that it ended.
    package var login: LoginID?
    package var grantType: String?
    package var userAgent: String?
    package var label: String?
    package var status: Int?
    /// What became of a refresh token.
    package var verdict: RefreshRecord.Verdict?

    package init() {}

    func admits(_ record: RequestRecord) -> Bool {
        if let path, !sameText(path, record.path) { return false }
        if let clientID, record.clientID.map({ sameText($0, clientID) }) != true { return false }
        if let family, !record.families.contains(family) { return false }
        if let login, !record.logins.contains(login) { return false }
        if let verdict, record.refresh?.verdict != verdict { return false }
        if let status, record.status != status { return false }
        guard Self.fits(label, record.label) else { return false }
        return Self.fits(grantType, record.grantType) && Self.fits(userAgent, record.userAgent)
    }

    private static func fits(_ wanted: String?, _ text: String?) -> Bool {
        wanted.map { wanted in text.map { sameText($0, wanted) } == true } ?? true
    }
}
