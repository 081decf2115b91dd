import HTTPMessages

/// The fields that the provider reads and writes beyond the common ones.
extension HTTPField.Name {
    static let accessControlAllowHeaders = Self(validated: "Access-Control-Allow-Headers")
    static let accessControlAllowMethods = Self(validated: "Access-Control-Allow-Methods")
    package static let accessControlAllowOrigin = Self(validated: "Access-Control-Allow-Origin")
    static let accessControlExposeHeaders = Self(validated: "Access-Control-Expose-Headers")
    static let accessControlRequestHeaders = Self(validated: "Access-Control-Request-Headers")
    static let accessControlMaxAge = Self(validated: "Access-Control-Max-Age")
    static let ifNoneMatch = Self(validated: "If-None-Match")
}
