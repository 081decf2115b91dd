import IdentityProvider
import Primitives

extension TestIdentityProvider {
    /// Chosen answers that still wait for their request, by the numbers that ``answerNext(_:at:client:count:)`` gave.
    ///
    ///     print(idp.waitingAnswers)                   // [1]
    public var waitingAnswers: [Int] { context.overrides.waiting.map(\.id) }

    /// Takes a chosen answer back; `false` when it is not there any more.
    ///
    ///     let number = try idp.answerNext(.error("server_error", status: 500))
    ///     idp.takeBackAnswer(number)
    @discardableResult
    public func takeBackAnswer(_ number: Int) -> Bool { context.overrides.remove(number) }

    /// Takes all chosen answers back: endpoints answer as they would.
    ///
    ///     idp.takeBackAnswers()
    public func takeBackAnswers() { context.overrides.removeAll() }

    /// Claims that wait for a login.
    ///
    ///     print(idp.waitingClaims.map(\.username))    // [Optional("alice")]
    public var waitingClaims: [WaitingClaims] { context.nextLoginClaims.waiting.map { WaitingClaims($0) } }

    /// No claims for the logins to come after all.
    ///
    ///     idp.takeBackClaims()
    public func takeBackClaims() { context.nextLoginClaims.removeAll() }
}

/// Claims that wait for a login.
///
///     let waiting = idp.waitingClaims.filter { $0.username == "alice" && $0.count == 2 }
public struct WaitingClaims: Hashable, Sendable {
    /// Whose login; `nil`: whoever is next.
    public let username: String?
    /// What goes into its tokens.
    public let claims: [String: JSONValue]
    /// For how many logins still.
    public let count: Int

    init(_ waiting: NextLoginClaims.Waiting) {
        username = waiting.username
        claims = [String: JSONValue](waiting.claims)
        count = waiting.remaining
    }
}
