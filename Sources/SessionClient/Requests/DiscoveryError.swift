import HTTPMessages
import Primitives

/// Why a server could not be got to know. Names URLs and members that the developer has chosen, never what the server sent.
///
///     let error = DiscoveryError.otherIssuer(asked: "https://id.example/")
///     print(error)    // the metadata names another issuer than https://id.example/: both must be the same letter by letter…
public enum DiscoveryError: Error, Hashable, Sendable {
    /// What is wrong with a document as a whole.
    public enum Document: Hashable, Sendable {
        /// It cannot be read.
        case notJSON(JSONError)
        /// It is JSON, and no object.
        case notAnObject
        /// It is longer than is read.
        case tooLong(byteCount: Int)
    }

    /// What is wrong with one member of it.
    public enum Member: Hashable, Sendable {
        /// It is not there, and must be.
        case missing
        /// It is no string.
        case notText
        /// It is no array of strings.
        case notTexts
        /// It is neither true nor false.
        case notBoolean
        /// It is no URL that tokens may go to.
        case badURL(ServerEndpointError)
    }

    /// What stands in the configuration is no issuer.
    case notAnIssuer(String)
    /// The issuer is no URL that one may ask.
    case unusableIssuer(ServerEndpointError)
    /// Nobody answered. Asking again later may help; the session is not concerned.
    case unreachable(OutboundFailure)
    /// The server answered that it cannot now.
    case unavailable(Unavailability)
    /// There is no document in any place where it could be.
    case notFound(urls: [String], status: Int)
    /// What is there is no metadata.
    case noDocument(Document)
    /// The document is that of another server.
    case otherIssuer(asked: String)
    /// One of its members is of no use.
    case malformed(member: String, Member)
}

extension DiscoveryError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .notAnIssuer(let reason): "the issuer in the configuration is none: \(reason)"
        case .unusableIssuer(let error): "the issuer cannot be asked for its metadata: \(error)"
        case .unreachable(let failure): "the metadata of the server could not be fetched: \(failure)"
        case .unavailable(let unavailability):
            "the server does not give its metadata: \(unavailability.cause.explanation)"
        case .notFound(let urls, let status):
            "the server has no metadata at \(urls.joined(separator: " nor at ")) (status \(status)): "
                + "the issuer must be written as the server writes it, with its path"
        case .noDocument(.notJSON(let error)): "the metadata of the server is not JSON: \(error)"
        case .noDocument(.notAnObject): "the metadata of the server is no JSON object"
        case .noDocument(.tooLong(let count)): "the metadata of the server is longer than \(count) bytes"
        case .otherIssuer(let asked):
            "the metadata names another issuer than \(asked): both must be the same letter by letter, a slash at the end "
                + "included (RFC 8414 section 3.3)"
        case .malformed(let member, let fault): "\(member) in the metadata of the server \(fault)"
        }
    }
}

extension DiscoveryError.Member: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .notText: "is no text"
        case .notTexts: "is no list of texts"
        case .notBoolean: "is neither true nor false"
        case .badURL(let error): "cannot be used: \(error)"
        }
    }
}
