import OAuth
import Primitives

/// What is wrong with the metadata of a client, and where. Never says what stood there.
package struct ClientMetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member, from the outermost object that the reader was told of.
    package let path: JSONPath
    package let problem: String
    package let kind: Kind

    /// RFC 7591 section 3.2.2 tells these apart.
    package enum Kind: Hashable, Sendable {
        case redirectURI
        case metadata
        case malformedSoftwareStatement
        case unapprovedSoftwareStatement
    }

    package init(_ problem: String, at path: JSONPath, kind: Kind = .metadata) {
        self.path = path
        self.problem = problem
        self.kind = kind
    }

    package var description: String { "\(path): \(problem)" }

    /// As the registration endpoint answers.
    var response: OAuthError { OAuthError(code, description) }

    private var code: OAuthErrorCode {
        switch kind {
        case .redirectURI: .invalidRedirectURI
        case .metadata: .invalidClientMetadata
        case .malformedSoftwareStatement: .invalidSoftwareStatement
        case .unapprovedSoftwareStatement: .unapprovedSoftwareStatement
        }
    }
}
