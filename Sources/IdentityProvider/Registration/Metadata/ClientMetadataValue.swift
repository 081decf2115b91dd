import JOSE
import OAuth
import Primitives

/// The value of one member of a client's metadata, and where it stands: reads it as what it should be.
struct ClientMetadataValue: Sendable {
    let json: JSON
    let path: JSONPath
    let rules: ClientMetadataRules

    /// UTF-8 bytes of a text.
    static let maximumTextByteCount = 2048
    /// Elements of a list.
    static let maximumCount = 64

    func error(_ problem: String, _ kind: ClientMetadataError.Kind = .metadata) -> ClientMetadataError {
        ClientMetadataError(problem, at: path, kind: kind)
    }

    func text() throws(ClientMetadataError) -> String {
        guard let text = json.string else { throw error("must be a string") }
        guard !text.isEmpty else { throw error("must not be empty") }
        guard text.utf8.count <= Self.maximumTextByteCount else {
            throw error("is longer than \(Self.maximumTextByteCount) bytes")
        }
        return text
    }

    func flag() throws(ClientMetadataError) -> Bool {
        guard let flag = json.bool else { throw error("must be true or false") }
        return flag
    }

    func seconds(_ range: ClosedRange<Int64>) throws(ClientMetadataError) -> Duration {
        guard let number = json.int64, range.contains(number) else {
            throw error("must be a whole number of seconds between \(range.lowerBound) and \(range.upperBound)")
        }
        return .seconds(number)
    }

    func elements(
        _ kind: ClientMetadataError.Kind = .metadata
    ) throws(ClientMetadataError) -> [ClientMetadataValue] {
        guard let array = json.array else { throw error("must be an array of strings", kind) }
        guard array.count <= Self.maximumCount else {
            throw error("has more than \(Self.maximumCount) elements", kind)
        }
        return array.enumerated().map { ClientMetadataValue(json: $1, path: path[$0], rules: rules) }
    }

    func texts() throws(ClientMetadataError) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.text()) }
        return texts
    }

    /// One of a few words.
    func choice<Value: RawRepresentable<String>>(_ values: [Value]) throws(ClientMetadataError) -> Value {
        let text = try text()
        guard let value = values.first(where: { sameText($0.rawValue, text) }) else {
            throw error("must be one of: \(values.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// RFC 8725 section 2.1: `none` is no signature, so nothing here is signed with it.
    func algorithm() throws(ClientMetadataError) -> SignatureAlgorithm { try choice(SignatureAlgorithm.allCases) }

    func scope() throws(ClientMetadataError) -> Scope {
        guard let text = json.string else { throw error("must be a string of scopes with one space between two") }
        guard !text.isEmpty else { return .empty }
        do { return try Scope(parsing: text) } catch { throw self.error(error.description) }
    }

    /// A URL that somebody will fetch or follow: `http` or `https`, so that no page can be made to run it.
    func webAddress(allowsFragment: Bool = false) throws(ClientMetadataError) -> WebAddress {
        let text = try text()
        guard let address = WebAddress(text), allowsFragment || !address.hasFragment else {
            throw error(
                allowsFragment
                    ? "must be an http or https URL" : "must be an http or https URL without a fragment")
        }
        return address
    }

    /// One that the provider or a browser sends something to that is worth something.
    func secureAddress(allowsFragment: Bool = false) throws(ClientMetadataError) -> WebAddress {
        let address = try webAddress(allowsFragment: allowsFragment)
        guard address.kind != .http || rules.redirects == .any else {
            throw error("must be an https URL, or one of this machine")
        }
        return address
    }

    func redirectURIs(_ kind: ClientMetadataError.Kind) throws(ClientMetadataError) -> [RedirectURI] {
        var uris: [RedirectURI] = []
        for element in try elements(kind) {
            guard let text = element.json.string else { throw element.error("must be a string", kind) }
            let uri: RedirectURI
            do { uri = try RedirectURI(text) } catch { throw element.error(error.description, kind) }
            guard uri.kind != .http || rules.redirects == .any else {
                throw element.error("must be https, or lead to this machine (RFC 8252 section 7.3)", kind)
            }
            guard uri.kind != .privateUse || uri.hasReverseDomainScheme || rules.redirects == .any else {
                throw element.error(
                    "an app's own scheme is a domain name in reverse, so it has a period (RFC 8252 section 7.1)", kind)
            }
            uris.append(uri)
        }
        return uris
    }
}
