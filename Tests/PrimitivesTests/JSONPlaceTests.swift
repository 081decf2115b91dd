import Primitives
import Testing

private let text = """
    {
      "issuer": "https://id.example",
      "clients": [
        {"id": "a", "\\u0069x": 1},
        {
          "żółw 🐾": [[], {"deep": [true , null]}], "name":"x",
          "grants" : [ "code",
            "foo" ]
        }
      ]
    }

    """

@Suite struct JSONPlaceTests {
    private func place(_ path: JSONPath, _ part: JSONPlace.Part = .value, in text: String = text) -> String? {
        JSON.place(of: path, in: Array(text.utf8).span, part: part).map { "\($0)" }
    }

    private static let client = JSONPath.root["clients"][1]

    @Test(arguments: [
        (JSONPath.root, "1:1"), (.root["issuer"], "2:13"), (.root["clients"], "3:14"), (.root["clients"][0], "4:5"),
        (.root["clients"][0]["id"], "4:12"), (.root["clients"][0]["ix"], "4:28"), (client, "5:5"),
        (client["żółw 🐾"], "6:17"), (client["żółw 🐾"][0], "6:18"), (client["żółw 🐾"][1]["deep"][1], "6:39"),
        (client["name"], "6:55"), (client["grants"][0], "7:20"), (client["grants"][1], "8:9"),
    ])
    func findsAValue(path: JSONPath, expected: String) {
        #expect(place(path) == expected)
    }

    @Test(arguments: [
        (JSONPath.root["issuer"], "2:3"), (client["grants"], "7:7"), (client["name"], "6:48"),
        (client["grants"][1], "8:9"), (.root, "1:1"), (.root["clients"][0]["ix"], "4:17"),
    ])
    func findsAName(path: JSONPath, expected: String) {
        #expect(place(path, .name) == expected)
    }

    @Test(arguments: [
        JSONPath.root["Issuer"], .root[0], .root["issuer"][0], .root["issuer"]["x"], .root["clients"]["x"],
        .root["clients"][2], .root["clients"][-1], .root["clients"][Int.max], client["żółw"],
        client["zo\u{301}łw 🐾"], client["żółw 🐾"][0][0], client["żółw 🐾"][0]["x"], .root[""],
    ])
    func findsNothingWhereNothingIs(path: JSONPath) {
        #expect(place(path) == nil)
    }

    @Test(arguments: [
        (JSONPath.root["issuer"], "2:13"), (.root["issuer"]["x"], "2:13"), (client["missing"], "5:5"),
        (client["grants"][9]["x"], "7:18"), (.root["nothing"]["of"]["this"], "1:1"),
    ])
    func findsTheInnermostThatIsThere(path: JSONPath, expected: String) {
        #expect("\(JSON.nearestPlace(of: path, in: Array(text.utf8).span))" == expected)
    }

    /// The text is known to be JSON; if it is not after all, nothing happens.
    @Test(arguments: [
        "", " ", "{", "[", "{\"a\"", "{\"a\":", "{\"b\":}", "{a:1}", "{\"b\":1,}", "{,", "[1,", "{\"b\":1 2",
    ])
    func findsNothingInWhatIsNoJSON(text: String) {
        #expect(place(.root["a"], in: text) == nil)
        #expect(place(.root[1], in: text) == nil)
        #expect(JSON.nearestPlace(of: .root["a"]["b"], in: Array(text.utf8).span).line == 1)
    }

    @Test func countsLinesAsTheErrorsDo() {
        #expect(place(.root["b"], in: "{\r\n\"a\":1,\r\n\t\"b\": 2}") == "3:7")
        #expect(place(.root, in: "\n\n  7") == "3:3")
    }

    /// Every value of a random tree is where its path says.
    @Test(arguments: UInt64(0)..<40)
    func findsEveryValueOfATree(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let tree = random.value()
        for pretty in [false, true] {
            let bytes = tree.serialised(pretty: pretty)
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            func check(_ value: JSON, _ path: JSONPath) throws {
                let found = JSON.place(of: path, in: bytes.span)
                let place = try #require(found)
                let first: Unicode.Scalar? = value.text().unicodeScalars.first
                #expect(Array(lines[place.line - 1].unicodeScalars)[place.column - 1] == first)
                for (index, element) in (value.array ?? []).enumerated() { try check(element, path[index]) }
                for (name, member) in value.object ?? [:] { try check(member, path[name]) }
            }
            try check(tree, .root)
        }
    }

    @Test(arguments: [
        (JSONPath.root, "the whole document"), (.root["clients"][2]["redirect_uris"][0], "clients[2].redirect_uris[0]"),
        (.root[3], "[3]"), (.root[3]["x-y_Z9"], "[3].x-y_Z9"), (.root["a b"]["c"], "[\"a b\"].c"),
        (.root["a"]["b.c"], "a[\"b.c\"]"), (.root[""], "[\"\"]"), (.root["a"]["\""], "a[\"\\\"\"]"),
        (.root["\u{1B}[31m"], "[\"\\u001b[31m\"]"), (.root["a\u{202E}b"], "[\"a\\u{202E}b\"]"),
        (.root["żółw"], "[\"żółw\"]"), (.root["a\nb"], "[\"a\\nb\"]"),
    ])
    func printsItself(path: JSONPath, expected: String) {
        #expect(path.description == expected)
    }

    @Test func goesUp() {
        #expect(JSONPath.root["a"][1].parent == JSONPath.root["a"])
        #expect(JSONPath.root.parent == nil)
    }
}
