import HTTPMessages
import IdentityProvider

/// A page as a user meets it, with everything in it that a page can have.
struct SamplePage: Sendable, CustomStringConvertible {
    let name: String
    let page: any Page

    var description: String { name }

    /// - Parameter client: where a client is that pages lead back to.
    static func all(client: String = "http://127.0.0.1:3000") -> [SamplePage] {
        let redirect = PageURL(client + "/callback")!
        let targets = [ContentSource(redirect)!]
        let submit = PageURL(path: "/submit")
        let hidden = [HiddenField("interaction", "i-81c2"), HiddenField("csrf", "t0ken\"<&>")]
        let alice = PagePerson(id: "alice", name: "Alice Liddell", note: "alice@example.com")
        let people = [
            alice, PagePerson(id: "bob", name: "Bob Stone", note: "bob@example.com"),
            PagePerson(id: "carol", name: "김하늘", note: "carol@example.com"),
            PagePerson(id: "dave", name: "佐藤 美咲", note: "dave@example.com"),
        ]
        let links = (policy: PageURL("https://photos.example/privacy"), terms: PageURL("https://photos.example/terms"))
        return [
            SamplePage(
                name: "login-mock",
                page: LoginPage(
                    action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                    policyURL: links.policy, termsURL: links.terms, users: people, claims: "")),
            SamplePage(
                name: "login",
                page: LoginPage(action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album")),
            SamplePage(
                name: "login-wrong",
                page: LoginPage(
                    action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                    username: "alice@example.com", problem: .wrongCredentials)),
            SamplePage(
                name: "login-claims",
                page: LoginPage(
                    action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                    problem: .claimsAreNoObject, users: Array(people.prefix(2)), claims: "{ \"role\": \"admin\" ")),
            SamplePage(
                name: "accounts",
                page: AccountPickerPage(
                    action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                    accounts: Array(people.prefix(3)))),
            SamplePage(
                name: "consent",
                page: ConsentPage(
                    action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album", user: alice,
                    scopes: ["openid", "profile", "email", "offline_access", "photos.read"],
                    resources: ["https://api.photos.example"], policyURL: links.policy, termsURL: links.terms)),
            SamplePage(
                name: "device-enter",
                page: DevicePage(.enter(DeviceCodeForm(action: submit, hiddenFields: hidden, userCode: "WDJB-MJHT")))),
            SamplePage(
                name: "device-wrong",
                page: DevicePage(
                    .enter(
                        DeviceCodeForm(
                            action: submit, hiddenFields: hidden, userCode: "WDJB-MJHX", problem: .unknownCode)))),
            SamplePage(
                name: "device-confirm",
                page: DevicePage(
                    .confirm(
                        DeviceConfirmation(
                            action: submit, hiddenFields: hidden, clientName: "Living Room TV", userCode: "WDJB-MJHT",
                            user: alice, scopes: ["openid", "profile"])))),
            SamplePage(name: "device-done", page: DevicePage(.done)),
            SamplePage(name: "device-denied", page: DevicePage(.denied)),
            SamplePage(name: "device-expired", page: DevicePage(.expired(PageURL(path: "/device-enter")))),
            SamplePage(
                name: "logout-confirm",
                page: LogoutPage(
                    .confirm(
                        LogoutConfirmation(
                            action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                            users: [alice])))),
            SamplePage(
                name: "logout-confirm-several",
                page: LogoutPage(
                    .confirm(
                        LogoutConfirmation(
                            action: submit, hiddenFields: hidden, formTargets: targets, clientName: "Photo Album",
                            users: [alice, PagePerson(id: "bob", name: "Bob Stone", note: "bob@example.com")])))),
            SamplePage(name: "logout-done", page: LogoutPage(.done(LogoutEnd(clientName: "Photo Album")))),
            SamplePage(name: "logout-stayed", page: LogoutPage(.stayed)),
            SamplePage(
                name: "error",
                page: ErrorPage(
                    status: .badRequest, code: "invalid_request",
                    details: "redirect_uri is not one of those registered for this client",
                    requestID: "01JD8Z2M9Q7XK4")),
            SamplePage(
                name: "error-expired",
                page: ErrorPage(status: .badRequest, code: "invalid_request_uri", requestID: "01JD8Z2M9Q7XK4")),
            SamplePage(
                name: "home",
                page: HomePage(
                    issuer: "http://127.0.0.1:8080",
                    endpoints: [
                        "authorization_endpoint": "/authorize", "token_endpoint": "/token",
                        "userinfo_endpoint": "/userinfo", "jwks_uri": "/jwks.json",
                        "device_authorization_endpoint": "/device_authorization", "end_session_endpoint": "/logout",
                    ].sorted { $0.key < $1.key }.map {
                        HomePage.Entry($0.key, PageURL("http://127.0.0.1:8080" + $0.value)!)
                    },
                    users: [
                        HomePage.User(id: "alice", name: "Alice Liddell"),
                        HomePage.User(id: "bob", name: "Bob Stone", password: "correct horse"),
                    ],
                    clients: [
                        HomePage.ClientExample(
                            id: "service", note: "confidential, every grant",
                            command:
                                "curl -u service:secret -d grant_type=client_credentials http://127.0.0.1:8080/token"),
                        HomePage.ClientExample(
                            id: "native", note: "public, with PKCE",
                            command: """
                                curl -d client_id=native -d scope='openid profile' \
                                http://127.0.0.1:8080/device_authorization
                                """),
                    ])),
        ]
    }

    /// A page whose script sends it off at once; it can be looked at only where scripts do not run.
    static func formPost(client: String) -> SamplePage {
        SamplePage(
            name: "form-post",
            page: FormPostPage(
                action: PageURL(client + "/callback")!,
                parameters: [HiddenField("code", "c0de"), HiddenField("state", "a&b=\"c\"")], clientName: "Photo Album")
        )
    }
}
