import Primitives

/// What has become of two who each look after themselves.
struct WithoutReport: Sendable {
    let expiries: Int
    let refreshes: [Refresh]
    let endReason: String?
    let appShowsLogin: Bool
    let pageShowsLogin: Bool
    /// Whether both still get what they ask for.
    let canGoOn: Bool

    enum Outcome: String {
        /// Both show the login.
        case signedOut = "signed_out"
        /// One of them does.
        case oneSideSignedOut = "one_side_signed_out"
        /// Nobody does, and nobody gets on either.
        case stuck
        /// Nobody has noticed anything.
        case forgiven
    }

    var outcome: Outcome {
        if appShowsLogin && pageShowsLogin { return .signedOut }
        if appShowsLogin || pageShowsLogin { return .oneSideSignedOut }
        return canGoOn ? .forgiven : .stuck
    }

    /// Whether one refresh token was presented twice: without that nothing was shown.
    private var hasRace: Bool { Set(refreshes.map(\.presented)).count < refreshes.count }

    /// Where the provider has ended the session, the user must see it too.
    var hasShown: Bool { hasRace && (endReason == nil || outcome == .signedOut) }

    func tell(_ teller: Teller) {
        switch outcome {
        case .signedOut where endReason == nil:
            teller.say("Signed out in the app and in the web view, though the provider has ended nothing.", .bad)
        case .signedOut:
            teller.say("Signed out in the app and in the web view. alice did nothing, and nobody stole anything.", .bad)
        case .oneSideSignedOut:
            let side: Side = appShowsLogin ? .app : .webView
            teller.say("Signed out in the \(side.name), though the provider has ended nothing.", .bad)
        case .stuck:
            teller.say("Nobody is told to sign in, and nobody gets on: the tokens that are left are spent.", .bad)
        case .forgiven:
            teller.say("Nobody is signed out. \(forgiveness)", .good)
        }
    }

    private var forgiveness: String {
        if refreshes.contains(where: \.isRefused) {
            return "Spent tokens are refused here, and nothing follows from that."
        }
        if refreshes.contains(where: { $0.verdict == "replayed" }) {
            return "Spent tokens are taken again here: a thief's, too."
        }
        return "Refresh tokens are never replaced here, so that none is spent: a thief's is as good."
    }

    var json: JSON {
        [
            "outcome": .string(outcome.rawValue), "expiries": .number(JSONNumber(Int64(expiries))),
            "end_reason": endReason.map { .string($0) } ?? .null, "app_shows_login": .bool(appShowsLogin),
            "page_shows_login": .bool(pageShowsLogin), "refreshes": .array(refreshes.map(\.json)),
            "shown": .bool(hasShown),
        ]
    }
}
