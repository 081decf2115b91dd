import IdentityProvider
import OAuth
import Primitives

/// Whatever is asked, the answer goes to a registered place, says whose it is and gives back the state that was sent; and
/// by POST it is the same as by GET.
///
/// The input is a query. A byte at its beginning that is no letter stands for the required parameters.
enum AuthorizationProperties {
    private static let provider = FuzzedProvider(.automaticLogin)
    private static let required = [
        "client_id=nag&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fkept%3D1&",
        "client_id=web&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1:81%2Fcallback&scope=openid"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&",
        "client_id=signer&response_type=id_token&scope=openid&nonce=n&"
            + "redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fkept%3D1&",
        "client_id=signer&response_type=code&",
    ]

    static func check(_ input: Span<UInt8>) {
        var query = input.array()
        if let first = query.first, !(first | 0x20 >= 0x61 && first | 0x20 <= 0x7A) {
            query.replaceSubrange(0..<1, with: required[Int(first) % required.count].utf8)
        }
        // What HTTP would not have let through.
        guard query.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { return }
        let answer = provider.get("/authorize?" + String(decoding: query, as: UTF8.self))
        provider.forget()
        let posted = provider.post("/authorize", query)
        provider.forget()
        require(posted.isForClient == answer.isForClient || !posted.isForClient, "by POST no more is given than by GET")
        guard answer.isForClient else { return }
        guard let form = try? FormParameters(parsing: query.span) else {
            return require(false, "what is no form is answered by a page")
        }
        let isMeant = form["request"] == nil && form["request_uri"] == nil
        if isMeant, form.filter({ sameText($0.name, "state") }).count < 2, (form["state"]?.utf8.count ?? 0) <= 4096 {
            require(
                answer.parameters["state"].map(ExactText.init) == form["state"].map(ExactText.init), "state comes back")
        }
        if answer.code != nil { checkGranted(form) }
    }

    private static func checkGranted(_ form: FormParameters) {
        require(form.firstRepeatedName(except: ["resource"]) == nil, "no code is given where something stands twice")
        require(form["request"] == nil && form["request_uri"] == nil, "what nobody signed is no request object")
        if form["client_id"] == "web" {
            require(form["code_challenge_method"] == "S256", "a public client uses PKCE")
            require((try? Base64URL.decode(form["code_challenge"] ?? ""))?.count == 32, "a challenge is a digest")
        }
        require(form["prompt"] != "none", "nobody has logged in")
        require(
            (try? ResponseType(parsing: form["response_type"] ?? ""))?.contains(.code) == true, "a code was asked for")
    }
}
