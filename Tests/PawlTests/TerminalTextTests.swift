import Testing
import pawl

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1b}[2J"), ("a\r\nb", "a\\u{d}\nb"), ("\u{9B}0m", "\\u{9b}0m"),
        ("a\u{200B}b\u{200C}c\u{200D}d", "a\\u{200b}b\\u{200c}c\\u{200d}d"),
        ("\u{202E}exe", "\\u{202e}exe"), ("\u{2060}\u{2065}", "\\u{2060}\\u{2065}"), ("\u{FEFF}", "\\u{feff}"),
        ("\u{FFF9}\u{FFFB}", "\\u{fff9}\\u{fffb}"), ("\u{E0001}\u{E0041}\u{E007F}", "\\u{e0001}\\u{e0041}\\u{e007f}"),
    ])
    func whatActsOnTheDisplayIsShownAndNotDone(text: String, shown: String) {
        #expect(TerminalText.harmless(text) == shown)
    }

    @Test(arguments: ["", "plain", "two\nlines", "žluťoučký 日本 🦀"]) func theRestStaysAsItIs(text: String) {
        #expect(TerminalText.harmless(text) == text)
    }
}
