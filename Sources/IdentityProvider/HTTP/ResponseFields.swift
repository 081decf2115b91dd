import HTTPMessages

/// The header of answers that are for one client and one moment.
///
/// Whether a page may read them depends on its origin, and a cache must know that it does (RFC 9110 section 12.5.5).
enum ResponseFields {
    /// RFC 6749 section 5.1: `no-store` and `no-cache` on whatever carries tokens; a refusal is nothing to keep either.
    static let neverStored: HTTPFields = [
        .contentType: "application/json",
        .cacheControl: "no-store",
        .pragma: "no-cache",
        .contentTypeOptions: "nosniff",
        .vary: "Origin",
    ]
}
