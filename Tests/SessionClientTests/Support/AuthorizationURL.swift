import OAuth

/// The URL of an authorization request as a server reads it.
struct AuthorizationURL {
    let query: FormParameters

    init(_ url: String) throws {
        query = try FormParameters(parsing: Array(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()).span)
    }
}
