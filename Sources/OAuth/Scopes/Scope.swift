/// A set of scope tokens, in the order in which they were first named.
///
///     let scope = try Scope(parsing: "openid read write")
///     let isEnough = scope.contains("read")                       // true
///     let more = scope.union(try Scope(parsing: "admin"))         // "openid read write admin"
///
/// RFC 6749 section 3.3: the order does not matter, and each token adds a permission. Equality is that of sets.
public struct Scope: Sendable {
    /// Each once.
    public let tokens: [String]
    /// The tokens as they stand on the wire: one space between two.
    public let text: String

    /// Says nothing: the server gives what it gives by default.
    public static let empty = Scope()

    private init() {
        tokens = []
        text = ""
    }

    /// For tokens of scopes that were read, each once.
    private init(unchecked tokens: [String]) {
        self.tokens = tokens
        text = tokens.joined(separator: " ")
    }

    /// RFC 6749 section 3.3: `scope-token *( SP scope-token )`, a token being 1*( %x21 / %x23-5B / %x5D-7E ). So no
    /// empty token: no space at either end, and never two in a row. A token said twice counts once.
    public init(parsing text: String) throws(ScopeError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        var tokens: [String] = []
        for token in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
            guard !token.isEmpty else { throw .misplacedSpace }
            guard token.allSatisfy(OAuthCharacters.isUnquoted) else { throw .forbiddenCharacter }
            let token = String(Substring(token))
            if !tokens.contains(token) { tokens.append(token) }
            guard tokens.count <= Self.maximumTokenCount else { throw .tooMany }
        }
        self.tokens = tokens
        self.text = tokens.joined(separator: " ")
    }

    /// More bytes than this are no honest request.
    package static let maximumByteCount = 4096
    /// More different tokens than this are no honest request; it also bounds the work of comparing two sets.
    package static let maximumTokenCount = 128

    /// Whether it names no token.
    public var isEmpty: Bool { tokens.isEmpty }

    /// Upper and lower case differ (RFC 6749 section 3.3).
    public func contains(_ token: String) -> Bool { tokens.contains(token) }

    /// Whether the other has all of its tokens; so the empty one is part of any.
    public func isSubset(of other: Scope) -> Bool { tokens.allSatisfy(other.tokens.contains) }

    /// The tokens of both, each once.
    public func union(_ other: Scope) -> Scope {
        Scope(unchecked: tokens + other.tokens.filter { !tokens.contains($0) })
    }

    /// Those of its tokens that `isWanted` picks.
    package func filter(_ isWanted: (String) -> Bool) -> Scope { Scope(unchecked: tokens.filter(isWanted)) }
}

extension Scope: Hashable {
    /// Whatever the order.
    public static func == (left: Self, right: Self) -> Bool {
        left.tokens.count == right.tokens.count && left.isSubset(of: right)
    }

    /// The same for every order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(tokens)) }
}

extension Scope: CustomStringConvertible {
    /// As on the wire.
    public var description: String { text }
}
