import OAuth

/// Whose a target is: that of the provider at the root, or of a tenant, and what is left of it below.
struct TenantPath: Sendable, Equatable {
    let tenant: TenantName?
    let target: String

    /// - Parameters:
    ///   - target: path and query, as they came.
    ///   - base: the path of the fixed issuer; empty if there is none.
    ///
    /// `nil` when it is nobody's.
    init?(_ target: String, below base: String) {
        if let inserted = Self.inserted(target, below: base) {
            self = inserted
            return
        }
        guard let rest = Self.rest(of: target[...], behind: base),
            base.isEmpty || rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") || rest.utf8.first == UInt8(ascii: "?")
        else { return nil }
        guard let named = Self.rest(of: rest, behind: Self.prefix) else {
            self.init(tenant: nil, target: String(rest))
            return
        }
        let end = named.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? named.endIndex
        guard let tenant = TenantName(named[..<end]) else { return nil }
        let below = String(named[end...])
        self.init(tenant: tenant, target: below.isEmpty ? "/" : below)
    }

    /// Whether a target is nobody's because the name of the tenant in it is none.
    static func namesNoTenant(_ target: String, below base: String) -> Bool {
        guard let rest = rest(of: target[...], behind: base), let named = self.rest(of: rest, behind: prefix) else {
            return false
        }
        let end = named.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? named.endIndex
        return TenantName(named[..<end]) == nil
    }

    /// What stands behind a prefix, compared byte by byte: two spellings of a path are two paths.
    private static func rest(of text: Substring, behind prefix: String) -> Substring? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return text[text.utf8.index(text.startIndex, offsetBy: prefix.utf8.count)...]
    }

    private static let prefix = "/t/"

    private init(tenant: TenantName?, target: String) {
        self.tenant = tenant
        self.target = target
    }

    /// RFC 8414 section 3.1: the well-known name stands between host and path of the issuer.
    private static func inserted(_ target: String, below base: String) -> TenantPath? {
        guard target.utf8.starts(with: "/.well-known/".utf8) else { return nil }
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        for name in Issuer.metadataNames {
            guard let issuerPath = rest(of: path, behind: name), let below = rest(of: issuerPath, behind: base) else {
                continue
            }
            if below.isEmpty, !base.isEmpty { return TenantPath(tenant: nil, target: name) }
            guard let named = rest(of: below, behind: prefix), let tenant = TenantName(named) else { continue }
            return TenantPath(tenant: tenant, target: name)
        }
        return nil
    }
}
