import HTTPMessages
import Primitives

/// Which requests a fault or a barrier is for; whatever is `nil` does not matter.
package struct PassageFilter: Sendable, Hashable {
    /// The path of the endpoint, below the issuer.
    package var endpoint: String?
    package var clientID: String?
    package var grantType: String?
    /// The family of the refresh token that it presents.
    package var family: FamilyID?
    /// Header fields that it has with these very values.
    package var fields: [Field] = []

    /// A header field that a request must have.
    package struct Field: Sendable, Hashable {
        package let name: HTTPField.Name
        package let value: String

        package init(name: HTTPField.Name, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init() {}

    func admits(_ passage: Passage) -> Bool {
        func fits(_ wanted: String?, _ text: String?) -> Bool {
            wanted.map { wanted in text.map { sameText($0, wanted) } == true } ?? true
        }
        guard fits(endpoint, passage.endpoint), fits(clientID, passage.clientID), fits(grantType, passage.grantType)
        else { return false }
        if let family, passage.family != family { return false }
        return fields.allSatisfy { field in
            passage.request.head.headerFields[values: field.name].contains { sameText($0, field.value) }
        }
    }
}
