import Primitives

/// What has become of two who share a session by the library.
struct WithReport: Sendable {
    let expiries: Int
    let refreshes: [Refresh]
    /// How many of the questions of both have got what they asked for.
    let answered: Int
    let endReason: String?
    let hasWebViewHeldTheRefreshToken: Bool

    var refusedCount: Int { refreshes.count(where: \.isRefused) }

    /// One refresh for each expiry, none refused, everybody answered, and the session goes on.
    var hasShown: Bool {
        refreshes.count == expiries && refusedCount == 0 && answered == expiries * 2 && endReason == nil
            && !hasWebViewHeldTheRefreshToken
    }

    func tell(_ teller: Teller) {
        let colour: Console.Colour = hasShown ? .good : .bad
        teller.say(
            "\(expiries) expiries, \(refreshes.count) refreshes, \(refusedCount) refused; \(answered) of \(expiries * 2) "
                + "questions answered; \(endReason == nil ? "still signed in" : "signed out").", colour)
        teller.say(
            "The web view has \(hasWebViewHeldTheRefreshToken ? "HELD" : "never held") the refresh token.", colour)
    }

    var json: JSON {
        [
            "outcome": .string(endReason == nil ? "signed_in" : "signed_out"),
            "expiries": .number(JSONNumber(Int64(expiries))),
            "refreshes": .number(JSONNumber(Int64(refreshes.count))),
            "refused": .number(JSONNumber(Int64(refusedCount))),
            "answered": .number(JSONNumber(Int64(answered))),
            "web_view_held_refresh_token": .bool(hasWebViewHeldTheRefreshToken), "shown": .bool(hasShown),
        ]
    }
}
