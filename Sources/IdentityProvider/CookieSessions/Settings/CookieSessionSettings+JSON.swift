import HTTPMessages
import JOSE
import OAuth
import Primitives

/// As a configuration has it, in the member `cookie_session` of a client.
extension CookieSessionSettings {
    static let memberName = "cookie_session"

    /// - Parameter json: of any shape; what is wrong with it is told.
    init(json: JSON, at path: JSONPath) throws(ClientMetadataError) {
        var problems = ConfigurationProblems()
        ConfigurationShape.cookieSession.check(json, at: path, into: &problems)
        if let problem = problems.found.first { throw ClientMetadataError(problem.message, at: problem.path) }
        self.init()
        if let cookie = json["access_cookie"]?.object { accessCookie = SessionCookieSettings(json: cookie) }
        if let cookie = json["refresh_cookie"]?.object { refreshCookie = SessionCookieSettings(json: cookie) }
        if let words = json["sign_in"]?.array {
            signIn = Set(words.compactMap { $0.string.flatMap(SignIn.init(rawValue:)) })
        }
        if let word = json["sign_out"]?.string.flatMap(SignOut.init(rawValue:)) { signOut = word }
        if let word = json["plain_http"]?.string.flatMap(PlainHTTP.init(rawValue:)) { plainHTTP = word }
        if let word = json["after_refusal"]?.string.flatMap(AfterRefusal.init(rawValue:)) { afterRefusal = word }
        forkTo = json["fork_to"]?.array?.compactMap(\.string) ?? []
        for (index, text) in (json["origins"]?.array ?? []).compactMap(\.string).enumerated() {
            guard let origin = WebOrigin(text) else {
                throw ClientMetadataError(
                    "must be an origin: a scheme, a host and perhaps a port, such as https://app.example",
                    at: path["origins"][index])
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        try check(at: path)
    }

    var json: JSON {
        [
            "access_cookie": accessCookie.json, "refresh_cookie": refreshCookie.json,
            "sign_in": .array(SignIn.allCases.filter(signIn.contains).map { .string($0.rawValue) }),
            "sign_out": .string(signOut.rawValue), "origins": .array(origins.map { .string($0.text) }),
            "fork_to": .array(forkTo.map { .string($0) }), "plain_http": .string(plainHTTP.rawValue),
            "after_refusal": .string(afterRefusal.rawValue),
        ]
    }
}

extension SessionCookieSettings {
    fileprivate init(json: JSONObject) {
        self.init()
        name = json["name"]?.string
        prefix = json["prefix"]?.string.flatMap(Prefix.init(rawValue:))
        domain = json["domain"]?.string
        path = json["path"]?.string
        if let word = json["persistence"]?.string.flatMap(Persistence.init(rawValue:)) { persistence = word }
        lifetime = json["lifetime"].flatMap(ConfigurationShape.duration)
        isSecure = json["secure"]?.bool
        isHTTPOnly = json["http_only"]?.bool ?? true
        sameSite = json["same_site"]?.string.flatMap(ResponseCookie.SameSite.init(rawValue:))
    }

    fileprivate var json: JSON {
        var json: JSONObject = ["persistence": .string(persistence.rawValue), "http_only": .bool(isHTTPOnly)]
        json["name"] = name.map { .string($0) }
        json["prefix"] = prefix.map { .string($0.rawValue) }
        json["domain"] = domain.map { .string($0) }
        json["path"] = path.map { .string($0) }
        json["lifetime"] = lifetime.map { .string(DurationText.write($0)) }
        json["secure"] = isSecure.map { .bool($0) }
        json["same_site"] = sameSite.map { .string($0.rawValue) }
        return .object(json)
    }
}

extension ClientMetadataMember {
    static let cookieSession = Self("cookie_session", write: { $0.cookieSession?.json }) {
        value, metadata throws(ClientMetadataError) in
        metadata.cookieSession = try CookieSessionSettings(json: value.json, at: value.path)
    }
}
