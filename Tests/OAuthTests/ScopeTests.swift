import OAuth
import Testing

@Suite struct ScopeTests {
    @Test func readsTokensInOrderAndEachOnce() throws {
        let scope = try Scope(parsing: "write read write !#[]~")
        #expect(scope.tokens == ["write", "read", "!#[]~"])
        #expect(scope.text == "write read !#[]~")
    }

    @Test func orderDoesNotMatter() throws {
        #expect(try Scope(parsing: "a b c") == Scope(parsing: "c a b"))
        #expect(try Set([Scope(parsing: "a b"), Scope(parsing: "b a")]).count == 1)
        #expect(try Scope(parsing: "a b") != Scope(parsing: "a b c"))
        #expect(try Scope(parsing: "A") != Scope(parsing: "a"))
    }

    @Test func knowsItsSubsets() throws {
        let allowed = try Scope(parsing: "read write")
        #expect(try Scope(parsing: "write").isSubset(of: allowed))
        #expect(Scope.empty.isSubset(of: allowed))
        #expect(try !Scope(parsing: "write delete").isSubset(of: allowed))
        #expect(try !Scope(parsing: "writ").isSubset(of: allowed))
        #expect(allowed.contains("read"))
        #expect(!allowed.contains("rea"))
    }

    @Test(arguments: [
        ("", ScopeError.empty), (" ", .misplacedSpace), (" read", .misplacedSpace), ("read ", .misplacedSpace),
        ("read  write", .misplacedSpace), ("read\twrite", .forbiddenCharacter), ("read\nwrite", .forbiddenCharacter),
        ("re\"ad", .forbiddenCharacter), ("re\\ad", .forbiddenCharacter), ("lire é", .forbiddenCharacter),
        ("read\u{0}", .forbiddenCharacter), ("read\u{7F}", .forbiddenCharacter),
    ])
    func refusesWhatIsNoScope(text: String, error: ScopeError) {
        #expect(throws: error) { try Scope(parsing: text) }
    }

    @Test func refusesWhatIsTooLongOrTooMany() throws {
        let longest = String(repeating: "s", count: Scope.maximumByteCount)
        #expect(try Scope(parsing: longest).tokens.count == 1)
        #expect(throws: ScopeError.tooLong) { try Scope(parsing: longest + "s") }
        let most = (0..<Scope.maximumTokenCount).map { "s\($0)" }.joined(separator: " ")
        #expect(try Scope(parsing: most).tokens.count == Scope.maximumTokenCount)
        #expect(throws: ScopeError.tooMany) { try Scope(parsing: most + " more") }
    }
}
