import Testing

/// The checks of this target look at text; these show that they would see what they look for.
@Suite struct ScannerTests {
    private func file(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/M/F.swift", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }

    @Test(arguments: [
        ("import JOSE", "JOSE"), ("package import Crypto", "Crypto"), ("@preconcurrency import Glibc", "Glibc"),
        ("import struct Foundation.Data", "Foundation"), ("internal import COpenSSL", "COpenSSL"),
    ])
    func findsAnImport(_ line: String, _ module: String) {
        #expect(file(line).imports == [module])
    }

    @Test(arguments: ["// import JOSE", "let text = \"import JOSE\"", "important()"])
    func takesNothingElseForAnImport(_ line: String) {
        #expect(file(line).imports == [])
    }

    @Test(arguments: [
        "public struct S {", "    public func f() {", "@frozen\npublic enum E {", "package final class C {",
        "// a remark\npackage actor A {",
    ])
    func findsAMissingDocComment(_ text: String) {
        #expect(!file(text).undocumentedDeclarations().isEmpty)
    }

    @Test(arguments: ["#if DEBUG", "    #if !DEBUG", "#if os(Linux) && DEBUG", "#elseif (DEBUG)"])
    func findsAConditionOfABuild(_ text: String) {
        #expect(file("func f() {}\n" + text).conditionsOfABuild() == [1])
    }

    @Test(arguments: ["// #if DEBUG", "#if os(Linux) // no DEBUG", "#if DEBUGGER", "let text = \"#if DEBUG\"", "#else"])
    func takesNothingElseForAConditionOfABuild(_ text: String) {
        #expect(file(text).conditionsOfABuild() == [])
    }

    @Test(arguments: ["/// Says it.\npublic struct S {", "/// Says it.\n@frozen\npublic enum E {", "struct S {"])
    func isContentWithADocComment(_ text: String) {
        #expect(file(text).undocumentedDeclarations().isEmpty)
    }
}
