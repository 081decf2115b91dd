import IdentityProvider
import Primitives
import Testing

/// RFC 8628 section 6.1.
@Suite struct UserCodeTests {
    @Test func isEightConsonantsInTwoGroups() {
        let random = SeededRandom(seed: 1)
        for _ in 0..<1000 {
            let code = UserCode(from: random)
            #expect(code.text.utf8.count == 8)
            #expect(code.text.utf8.allSatisfy("BCDFGHJKLMNPQRSTVWXZ".utf8.contains))
            #expect(code.shown.count == 9)
            #expect(code.shown.split(separator: "-").map(\.count) == [4, 4])
            #expect(UserCode(typed: code.shown) == code)
        }
    }

    /// Each letter comes as often as each other: with 80,000 letters, each 4,000 times, and 400 is more than six standard
    /// deviations.
    @Test func prefersNoLetter() {
        let random = SeededRandom(seed: 7)
        var counts: [Character: Int] = [:]
        for _ in 0..<10_000 { for letter in UserCode(from: random).text { counts[letter, default: 0] += 1 } }
        #expect(counts.count == 20)
        #expect(counts.values.allSatisfy { abs($0 - 4000) < 400 })
    }

    @Test(arguments: [
        "WDJBMJHT", "wdjbmjht", "WDJB-MJHT", "wdjb mjht", " WDJB - MJHT ", "w-d-j-b-m-j-h-t", "WDJB\u{2013}MJHT",
        "WDJB\u{2212}MJHT", "WDJB\u{A0}MJHT", "WDJB_MJHT", "wDjB.mJhT", "\tWDJBMJHT", "\u{3000}wdjb\u{2010}mjht",
    ])
    func takesACodeHoweverItIsTyped(text: String) {
        #expect(UserCode(typed: text)?.text == "WDJBMJHT")
    }

    @Test(arguments: [
        "", " ", "-", "WDJB", "WDJBMJH", "WDJBMJHTT", "WDJB-MJH0", "ADJBMJHT", "WDJBMJHE", "WDJBMJH\u{212A}",
        "WDJBMJH\u{FF34}", "WDJBMJHT\u{0}", "WDJBMJHT\n", "W\u{301}DJBMJHT", "WDJBMJHT;", "<WDJBMJHT>",
        String(repeating: "-", count: 64) + "WDJBMJHT",
    ])
    func refusesWhatIsNoCode(text: String) {
        #expect(UserCode(typed: text) == nil)
    }
}
