import HTTPMessages
import IdentityProvider
import Primitives
import Testing

/// Families as data and as graphs.
@Suite struct FamiliesTests {
    @Test func tellsWhichTokensAreGood() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let second = try await control.refresh(session.refresh).text("refresh_token")
        _ = await control.refresh(second)
        let family = try await control.family()
        #expect(family["live"] == [3])
        #expect(
            family["tokens"] == [
                ["number": 1, "state": "spent", "parent": .null], ["number": 2, "state": "spent", "parent": 1],
                ["number": 3, "state": "live", "parent": 2],
            ])
        #expect(family["earlier"] == 0)
    }

    /// Where a policy remembers what was replaced, the tree says what came of what.
    @Test func tellsWhereALineForks() throws {
        var line = try RotationLine("okta")
        _ = line.present(1)
        _ = line.present(1)
        _ = line.present(2)
        let tree = FamilyTree(line.family, at: line.now)
        #expect(
            tree.nodes == [
                FamilyTree.Node(1, parent: nil, .spent), FamilyTree.Node(2, parent: 1, .spent),
                FamilyTree.Node(3, parent: 1, .live), FamilyTree.Node(4, parent: 2, .live),
            ])
        #expect(tree.live == [3, 4] && tree.earlierCount == 0)
    }

    /// Three that were given for one, of which one was spent: each has its parent, and there is one root.
    @Test func tellsTheParentOfWhatWasSpentInAFork() throws {
        var line = try RotationLine("okta")
        for number in [1, 1, 1, 3] as [UInt32] { _ = line.present(number) }
        let nodes = FamilyTree(line.family, at: line.now).nodes
        #expect(nodes.map(\.parent) == [nil, 1, 1, 1, 3])
    }

    /// Where a family has not forked, each has replaced the one before it, whoever remembers it.
    @Test(arguments: RotationPolicy.profileNames)
    func tellsALineWhereNoneHasForked(_ name: String) throws {
        var line = try RotationLine(name)
        for _ in 1...5 {
            _ = line.present(line.family.rotation.current)
            line.wait(.seconds(3600))
        }
        let nodes = FamilyTree(line.family, at: line.now).nodes
        #expect(nodes.map(\.parent) == nodes.map { $0.number > 1 ? $0.number - 1 : nil })
    }

    /// Whatever a profile lets happen: a tree that is taken for a line is one.
    @Test(arguments: RotationPolicy.profileNames)
    func takesForALineWhatHasNotForked(_ name: String) throws {
        var line = try RotationLine(name)
        for number in [1, 1, 2, 2, 1, 3] as [UInt32] { _ = line.present(number) }
        let rotation = line.family.rotation
        let isOneLine = rotation.leaves.count <= 1 && rotation.leaves.allSatisfy { $0.parent + 1 == $0.node }
        #expect(!rotation.isLine || isOneLine)
    }

    /// A fork, and so long a line behind it that its beginning is forgotten: no false root, and no false parent.
    @Test func tellsThatAParentIsForgottenAfterAFork() async throws {
        let policy = try RotationPolicy(parsing: "okta")
        let control = ControlUnderTest(
            try await ProviderUnderTest(issuer: .followsHost, users: StandardUsers.all()) { $0.rotation = policy })
        var token = try await control.newSession().refresh
        _ = await control.refresh(token)
        for _ in 0..<40 { token = try await control.refresh(token).text("refresh_token") }
        let tokens = try #require(try await control.family()["tokens"]?.array)
        #expect(tokens.last?["parent"] == 41)
        #expect(tokens.prefix(3).map { $0["parent"] } == [.null, 1, .null])
        let dot = String(decoding: await control.call("GET", "/families?format=dot").body, as: UTF8.self)
        #expect(dot.contains("f0_x -> f0_3 [style=dotted];") && !dot.contains("f0 -> f0_3;"), "\(dot)")
        #expect(dot.contains("f0 -> f0_1;"))
        let mermaid = String(decoding: await control.call("GET", "/families?format=mermaid").body, as: UTF8.self)
        #expect(mermaid.contains("f0_x -.-> f0_3(("), "\(mermaid)")
    }

    @Test func tellsThatNoneIsGoodAfterTheEnd() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = await control.refresh(session.refresh)
        _ = await control.refresh(session.refresh)
        let family = try await control.family()
        #expect(family["live"] == [])
        #expect(family["tokens"]?.array?.last?["state"] == "ended")
        #expect(family["ended"]?["reason"] == "refresh_token_reused")
    }

    @Test func tellsTheEndOfALongLine() async throws {
        let control = try await ControlUnderTest()
        var token = try await control.newSession().refresh
        for _ in 0..<(FamilyTree.maximumNodeCount + 5) {
            token = try await control.refresh(token).text("refresh_token")
        }
        let family = try await control.family()
        #expect(family["tokens"]?.array?.count == FamilyTree.maximumNodeCount)
        #expect(family["earlier"] == 6)
        let id = try #require(family["id"]?.string)
        let dot = await control.call("GET", "/families/\(id)?format=dot")
        #expect(String(decoding: dot.body, as: UTF8.self).contains("6 before, spent"))
    }

    @Test func showsAllOfALogin() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.newSession()
        _ = try await control.newSession()
        let login = try #require(try await control.family()["login"]?.string)
        #expect(try await control.json("GET", "/families/\(login)")["families"]?.array?.count == 1)
        #expect(try await control.json("GET", "/families?login=\(login)")["families"]?.array?.count == 1)
        #expect(try await control.json("GET", "/families")["families"]?.array?.count == 2)
        #expect(try await control.json("GET", "/families?client=web")["families"] == [])
        #expect(try await control.json("GET", "/families?limit=1")["families"]?.array?.count == 1)
    }

    @Test(
        arguments: [
            ("dot", "text/vnd.graphviz", "digraph", "f0_1 -> f0_2;"),
            ("mermaid", "text/vnd.mermaid", "flowchart", "f0_1 --> f0_2"),
        ])
    func drawsIt(_ format: String, _ mediaType: String, _ beginning: String, _ edge: String) async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = await control.refresh(session.refresh)
        let id = try #require(try await control.family()["id"]?.string)
        for answer in [
            await control.call("GET", "/families/\(id)?format=\(format)"),
            await control.call("GET", "/families/\(id)", also: [.accept: "\(mediaType), application/json;q=0.5"]),
        ] {
            #expect(answer.fields[.contentType] == mediaType)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.hasPrefix(beginning) && text.contains(edge), "\(text)")
        }
        #expect(await control.call("GET", "/families/\(id)").json != nil)
    }

    /// A name from outside ends no text, and means nothing in a graph.
    @Test func keepsNamesFromDrawing() async throws {
        let control = try await ControlUnderTest()
        let name = #"a"]; evil [label="x\"#
        let path = "/clients/a%22%5D%3B%20evil%20%5Blabel%3D%22x%5C"
        _ = try await control.json(
            "PUT", path,
            [
                "redirect_uris": ["http://127.0.0.1/callback"],
                "grant_types": ["authorization_code", "refresh_token"],
            ])
        _ = try await control.json("POST", "/sessions", ["user": "alice", "client": .string(name), "scope": "openid"])
        let dot = String(decoding: await control.call("GET", "/families?format=dot").body, as: UTF8.self)
        #expect(dot.contains(#"label="a\"]; evil [label=\"x\\ for "#), "\(dot)")
        let mermaid = String(decoding: await control.call("GET", "/families?format=mermaid").body, as: UTF8.self)
        #expect(mermaid.contains("a#34;#93;#59; evil #91;label#61;#34;x#92; for "), "\(mermaid)")
    }

    @Test(
        arguments: [
            ("/families?format=svg", 400), ("/families?limit=0", 400), ("/families?limit=1001", 400),
            ("/families?user=nobody", 404), ("/families/AAAAAAAAAAAAAAAAAAAAAA", 404), ("/families/x", 404),
        ])
    func refusesWhatIsNotThere(_ path: String, _ status: Int) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.newSession()
        #expect(await control.call("GET", path).status == status)
    }
}
