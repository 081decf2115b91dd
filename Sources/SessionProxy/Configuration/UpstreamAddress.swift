import OAuth
import Primitives

/// The server behind the proxy: an origin, and perhaps a path that everything of it is below.
package struct UpstreamAddress: Hashable, Sendable {
    package let scheme: String
    package let authority: String
    /// Empty, or segments without a slash at the end.
    package let basePath: String

    /// `nil` unless the text is an http or https URL without query and fragment.
    package init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
            let target = TargetURL(text), let path = LocalPath(target.pathAndQuery)
        else { return nil }
        scheme = target.scheme
        authority = target.authority
        basePath = path.text.hasSuffix("/") ? String(path.text.dropLast()) : path.text
    }

    package var origin: String { "\(scheme)://\(authority)" }
}

extension UpstreamAddress: CustomStringConvertible {
    package var description: String { origin + basePath }
}
