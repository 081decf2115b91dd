import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives

/// Nobody is logged in but by a cookie that the provider gave, and an ID token names nobody but whom the provider named.
///
/// The input begins with a byte, by its lowest bits: 0, a cookie; 1, changes to the right cookie; 2, claims that the provider
/// signs, as a hint; 3, any text as a hint. The client is one whose users are asked each time: `consent_required` means
/// that somebody is known.
enum SessionProperties {
    private static let provider = FuzzedProvider(.automaticLogin)
    private static let ask =
        "/authorize?client_id=nag&response_type=code&scope=openid&prompt=none"
        + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fkept%3D1"
    /// `pawl_login_8080=…`, of the first user.
    private static let cookie: String = {
        let answer = provider.get(ask.replacing("&prompt=none", with: "&prompt=login"))
        let set = answer.fields.filter { $0.name == .setCookie }.map(\.value)
        guard let login = set.first(where: { $0.hasPrefix("pawl_login") }) else { fatalError("no cookie among \(set)") }
        return String(login.prefix { $0 != ";" })
    }()

    static func check(_ input: Span<UInt8>) {
        let bytes = input.array()
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        require(isKnown(by: [cookie]), "the right cookie is known")
        switch first & 3 {
        case 0: checkCookie(rest)
        case 1: checkChange(rest)
        case 2: checkHint(FuzzedProvider.sign(rest, by: provider.key, type: "JWT"), of: rest)
        default: checkHint(String(decoding: rest, as: UTF8.self), of: nil)
        }
    }

    private static func isKnown(by cookies: [String], hint: String? = nil) -> Bool {
        let more = hint.map { "&" + FormParameters([("id_token_hint", $0)]).encoded } ?? ""
        let answer = provider.get(ask + more, cookies: cookies)
        require(answer.code == nil, "nothing is given without the user")
        require(
            answer.error == "consent_required" || answer.error == "login_required" || !more.isEmpty,
            "somebody is known or nobody is")
        return answer.error == "consent_required"
    }

    private static func checkCookie(_ text: [UInt8]) {
        guard let text = String(validating: text, as: UTF8.self) else { return }
        let name = String(cookie.prefix { $0 != "=" })
        require(!isKnown(by: [text]) && !isKnown(by: [name + "=" + text]), "nobody is known by what we did not give")
        require(isKnown(by: [cookie, text]), "no neighbour hides the right cookie")
    }

    private static func checkChange(_ changes: [UInt8]) {
        let changed = FuzzedProvider.change(cookie, by: changes)
        guard isKnown(by: [changed]) else { return require(changed != cookie, "the right cookie is known") }
        // Whatever is known, the whole proof is in it.
        let proof = cookie.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
        require(changed.contains(String(Substring(proof))), "a proof is known as long as nothing is changed")
    }

    private static func checkHint(_ hint: String, of payload: [UInt8]?) {
        guard isKnown(by: [cookie], hint: hint), !hint.isEmpty else { return }
        guard let payload, let claims = try? JSON(parsing: payload.span) else {
            return require(false, "a hint that we did not sign names nobody")
        }
        let audience = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        require(audience.contains("nag"), "a hint was given to this client")
        require(claims["sub"] == "alice" || claims["sub"] == .string(firstUser), "a hint names who is logged in")
        require(claims["iss"]?.string.flatMap { try? Issuer($0) }?.basePath == "", "a hint is of this provider")
        require(claims["iat"] != nil, "a hint is an ID token")
    }

    private static let firstUser: String = (try? StandardUsers.all())?.first?.id ?? ""
}
