/// Every text of the pages, in one language. A text that a language lacks is one that does not compile.
package struct PageTexts: Sendable {
    let common: Common
    let login: Login
    let accounts: Accounts
    let consent: Consent
    let scopes: Scopes
    let device: Device
    let logout: Logout
    let error: Error
    let formPost: FormPost
    let home: Home

    struct Common: Sendable {
        let cancel: String
        let continueOn: String
        /// Before the title of a page whose form was refused: a screen reader says the title first.
        let errorPrefix: String
        /// At the foot of each page of a provider that is for tests.
        let mockNotice: String
        let signedInAs: Phrase
        let privacyPolicy: String
        let termsOfService: String
    }

    struct Login: Sendable {
        let title: String
        let lead: Phrase
        let chooseUser: String
        let orPassword: String
        let username: String
        let password: String
        let submit: String
        let wrongCredentials: String
        let tooManyAttempts: @Sendable (_ seconds: Int) -> String
        let expired: String
        let claims: String
        let claimsHint: String
        let claimsLabel: String
        let claimsInvalid: String
    }

    struct Accounts: Sendable {
        let title: String
        let lead: Phrase
        let another: String
    }

    struct Consent: Sendable {
        let title: Phrase
        let lead: Phrase
        let resources: String
        let allow: String
        let deny: String
        let note: Phrase
    }

    /// What a scope gives away (OpenID Connect Core sections 5.4 and 11).
    struct Scopes: Sendable {
        let openid: Scope
        let profile: Scope
        let email: Scope
        let address: Scope
        let phone: Scope
        let offlineAccess: Scope
        /// For one that only the client and its API know.
        let other: String
    }

    struct Scope: Sendable {
        let name: String
        let description: String
    }

    struct Device: Sendable {
        let enterTitle: String
        let enterLead: String
        let code: String
        let codeHint: String
        let wrongCode: String
        let expiredCode: String
        let tooManyAttempts: @Sendable (_ seconds: Int) -> String
        let confirmTitle: String
        let confirmLead: Phrase
        let compare: String
        let warning: String
        let scopes: String
        let allow: String
        let deny: String
        let doneTitle: String
        let doneLead: String
        let deniedTitle: String
        let deniedLead: String
        let expiredTitle: String
        let expiredLead: String
        let enterAnother: String
    }

    struct Logout: Sendable {
        let confirmTitle: String
        let askedBy: Phrase
        let asked: String
        /// Before a list of them.
        let accounts: String
        /// Before the account of a session that the browser does not show.
        let elsewhere: String
        let signOut: String
        let stay: String
        let doneTitle: String
        let doneLead: String
        let stayedTitle: String
        let stayedLead: String
        let goBack: Phrase
        let goBackToApp: String
        /// Names a frame that nobody sees.
        let frame: String
    }

    struct Error: Sendable {
        let title: String
        let lead: String
        let ourFault: String
        let refused: String
        let busy: String
        let code: String
        let details: String
        let requestID: String
        let whatToDo: String
        let tryAgain: String
        let wait: String
        let startAgain: String
        let tellDeveloper: String
    }

    struct FormPost: Sendable {
        let title: String
        let lead: Phrase
    }

    struct Home: Sendable {
        let lead: String
        let issuer: String
        let endpoints: String
        let users: String
        let usersLead: String
        let userID: String
        let name: String
        let password: String
        let anyPassword: String
        let clients: String
        let clientsLead: String
    }
}
