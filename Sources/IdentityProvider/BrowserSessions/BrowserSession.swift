import HTTPMessages
import Primitives

/// What a request has proven about the browser that sent it: which it is, and who is logged in with it.
struct BrowserSession: Sendable {
    /// Somebody who is logged in.
    struct Account: Sendable {
        let login: Login
        let proof: LoginProof
    }

    let cookies: BrowserCookies
    /// Those that are alive and that the browser has the secret of; the one that was used last comes first.
    private(set) var accounts: [Account]
    /// The browser's secret. There may be several cookies of the name, set by another path, so that each that was sent
    /// may be the one.
    private(set) var secrets: [String]
    /// What the browser has to be told.
    private(set) var changes: [ResponseCookie] = []

    init(cookies: BrowserCookies, accounts: [Account], secrets: [String]) {
        self.cookies = cookies
        self.accounts = accounts
        self.secrets = secrets
    }

    var logins: [Login] { accounts.map(\.login) }

    /// The account that goes without asking.
    var current: Login? { accounts.first?.login }

    /// The browser's secret, made if it has none.
    mutating func secret(from random: any RandomSource) -> String {
        if let secret = secrets.first { return secret }
        let secret = random.identifier(byteCount: LoginProof.secretByteCount)
        secrets = [secret]
        changes.append(cookies.cookie(cookies.browserName, secret))
        return secret
    }

    /// Puts an account first, in the place of what was known of its login or its user.
    mutating func add(_ account: Account) {
        accounts.removeAll {
            $0.login.id == account.login.id || sameText($0.login.userID, account.login.userID)
        }
        accounts.insert(account, at: 0)
        accounts = Array(accounts.prefix(LoginProof.maximumCount))
        noteAccounts()
    }

    /// Puts the account first that the user has chosen.
    mutating func prefer(_ id: LoginID) {
        guard let index = accounts.firstIndex(where: { $0.login.id == id }), index > 0 else { return }
        accounts.insert(accounts.remove(at: index), at: 0)
        noteAccounts()
    }

    mutating func remove(_ id: LoginID) {
        accounts.removeAll { $0.login.id == id }
        noteAccounts()
    }

    private mutating func noteAccounts() {
        changes.removeAll { sameText($0.name, cookies.loginName) }
        changes.append(cookies.cookie(cookies.loginName, LoginProof.cookieValue(accounts.map(\.proof))))
    }

    /// Tells the browser what has changed.
    func write(to response: inout ServerResponse) {
        for cookie in changes { response.head.headerFields.append(name: .setCookie, value: cookie.fieldValue) }
    }
}
