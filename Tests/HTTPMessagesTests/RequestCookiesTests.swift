import HTTPMessages
import Primitives
import Testing

@Suite("Cookies of a request")
struct RequestCookiesTests {
    private func cookies(_ values: String...) -> RequestCookies {
        RequestCookies(HTTPFields(values.map { HTTPField(name: .cookie, value: $0) }))
    }

    private struct Dice: RandomNumberGenerator {
        let source: SeededRandom

        init(seed: UInt64) {
            source = SeededRandom(seed: seed)
        }

        mutating func next() -> UInt64 {
            var value: UInt64 = 0
            withUnsafeMutableBytes(of: &value) { source.fill($0) }
            return value
        }
    }

    @Test func areFoundByName() {
        let cookies = cookies("a=1; session=x.y-z; b=")
        #expect(cookies[values: "a"] == ["1"])
        #expect(cookies[values: "session"] == ["x.y-z"])
        #expect(cookies[values: "b"] == [""])
        #expect(cookies[values: "c"].isEmpty)
    }

    /// A client that has one for the path and one for the domain sends both; which comes first says something.
    @Test func ofOneNameComeInTheirOrder() {
        #expect(cookies("s=1; t=2; s=3", "s=4")[values: "s"] == ["1", "3", "4"])
    }

    @Test func keepWhatIsInTheirValues() {
        #expect(cookies("a=b=c==")[values: "a"] == ["b=c=="])
        #expect(cookies(#"a="x y""#)[values: "a"] == [#""x y""#])
        #expect(cookies(#"a="b; c=d""#)[values: "a"] == [#""b"#])
        #expect(cookies("a=b, c=d")[values: "a"] == ["b, c=d"])
        #expect(cookies("a=%41")[values: "a"] == ["%41"])
    }

    @Test func loseTheBlanksAroundThem() {
        let cookies = cookies(" \ta \t=\t 1 \t;b=2;c= 3")
        #expect(cookies[values: "a"] == ["1"])
        #expect(cookies[values: "b"] == ["2"])
        #expect(cookies[values: "c"] == ["3"])
    }

    /// A neighbour's junk must not hide what is our own.
    @Test(arguments: ["", ";", "; ;;", "x", "=v", " = v", "x; y; =", "{\"a\":1}", "a b c", "\u{301}", "x\u{301}"])
    func areFoundBesideJunk(junk: String) {
        for text in ["\(junk); s=1", "s=1;\(junk)", "\(junk);s=1;\(junk)"] {
            #expect(cookies(text)[values: "s"] == ["1"], "\(text)")
        }
        #expect(cookies(junk)[values: ""].isEmpty)
    }

    /// A combining character makes one Character of a delimiter and itself; the delimiter stays one.
    @Test func areTakenApartByBytes() {
        #expect(cookies("s=1;\u{301}x=2")[values: "s"] == ["1"])
        #expect(cookies("s=\u{301}1")[values: "s"] == ["\u{301}1"])
    }

    @Test(arguments: ["Session", "SESSION", "session ", "sess", "sessio\u{6E}\u{303}", "\u{212A}id"])
    func areNotFoundByANameThatIsNearlyTheirs(name: String) {
        #expect(cookies("session=1; Kid=2; sessio\u{F1}=3")[values: name].isEmpty)
    }

    @Test func areReadFromNoOtherField() {
        let fields = HTTPFields([
            HTTPField(name: .setCookie, value: "s=1"), HTTPField(name: .authorization, value: "s=2"),
        ])
        #expect(RequestCookies(fields).count == 0)
    }

    /// Whatever is written comes back, beside whatever bytes there are.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func comeBackBesideAnything(seed: UInt64) throws {
        var random = Dice(seed: seed)
        func text(_ alphabet: [Unicode.Scalar], _ count: Int) -> String {
            String(String.UnicodeScalarView((0..<count).map { _ in alphabet.randomElement(using: &random)! }))
        }
        let octets = (0x21..<0x7F).map { Unicode.Scalar(UInt8($0)) }.filter { !"\",;\\".unicodeScalars.contains($0) }
        let anything = Array("a=;, \t\"\\\u{0}\u{301}\u{E9}\u{1F36A}".unicodeScalars)
        let values = (0..<5).map { _ in text(octets, Int.random(in: 0..<9, using: &random)) }
        let pairs = try values.map { value in
            text(anything, Int.random(in: 0..<9, using: &random)) + ";"
                + (try ResponseCookie(name: "__Host-s", value: value, isSecure: true).fieldValue)
        }
        #expect(cookies(pairs.joined(separator: ";"))[values: "__Host-s"].map(String.init) == values)
    }

    @Test func areBounded() {
        let many = (0..<10_000).map { "n\($0)=\($0)" }.joined(separator: "; ")
        for cookies in [cookies(many), cookies(many, many), cookies("x;y;;=;" + many)] {
            #expect(cookies.count == RequestCookies.limit)
            #expect(cookies[values: "n0"].first == "0")
            #expect(cookies[values: "n\(RequestCookies.limit)"].isEmpty)
        }
    }
}
