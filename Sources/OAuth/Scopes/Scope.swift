import Primitives

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
        let (tokens, isRepeating) = try text.withUTF8Span { bytes throws(ScopeError) in try Self.tokens(of: bytes) }
        self.tokens = tokens
        self.text = isRepeating ? tokens.joined(separator: " ") : text
    }

    private static func tokens(of text: Span<UInt8>) throws(ScopeError) -> (tokens: [String], isRepeating: Bool) {
        var tokens: [String] = []
        tokens.reserveCapacity(usualTokenCount)
        var isRepeating = false
        var start = 0
        for index in 0...text.count {
            guard index == text.count || text[index] == UInt8(ascii: " ") else {
                guard OAuthCharacters.isUnquoted(text[index]) else { throw .forbiddenCharacter }
                continue
            }
            guard index > start else { throw .misplacedSpace }
            guard let token = String(utf8: text.extracting(start..<index)) else {
                preconditionFailure("what is ASCII is UTF-8")
            }
            if tokens.contains(token) { isRepeating = true } else { tokens.append(token) }
            guard tokens.count <= maximumTokenCount else { throw .tooMany }
            start = index + 1
        }
        return (tokens, isRepeating)
    }

    /// Room for the tokens of most scopes.
    private static let usualTokenCount = 4
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
