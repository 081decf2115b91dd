import Primitives

/// Where a token is to be used (RFC 8707 section 2): an absolute URI without a fragment.
///
/// A query SHOULD NOT be there, and may: it is compared with the rest, byte by byte.
package struct ResourceIndicator: Sendable {
    package let text: String

    /// RFC 8707 section 2: what is malformed is `invalid_target`.
    package init(_ text: String) throws(OAuthError) {
        do {
            self.text = try AbsoluteURI(text, maximumByteCount: Self.maximumByteCount).text
        } catch {
            throw OAuthError(.invalidTarget, "a resource is an absolute URI without a fragment, and \(error)")
        }
    }

    package static let maximumByteCount = 2048
    /// More in one request are no honest client's.
    package static let maximumCount = 16

    /// All the resources of a request, each once, in their order.
    package static func all(of form: FormParameters, named name: String = "resource") throws(OAuthError) -> [Self] {
        var all: [Self] = []
        for value in form[values: name] {
            let resource = try Self(value)
            if !all.contains(resource) { all.append(resource) }
            guard all.count <= maximumCount else {
                throw OAuthError(.invalidTarget, "more than \(maximumCount) resources")
            }
        }
        return all
    }
}

extension ResourceIndicator: Hashable {
    package static func == (left: Self, right: Self) -> Bool { sameText(left.text, right.text) }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ResourceIndicator: CustomStringConvertible {
    package var description: String { text }
}
