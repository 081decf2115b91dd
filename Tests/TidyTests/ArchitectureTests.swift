import Testing

/// The arrows of the architecture: who may import whom. A module that is missing here may import nothing.
private let allowedImports: [String: Set<String>] = [
    "Primitives": [],
    "Observability": ["Primitives"],
    "Crypto": ["Primitives", "COpenSSL"],
    "JOSE": ["Crypto", "Primitives"],
    "HTTPMessages": ["Primitives"],
    "HTTPWire": ["HTTPMessages", "Primitives"],
    "Networking": ["HTTPWire", "HTTPMessages", "Observability", "Primitives", "CLinux", "COpenSSL"],
    "Cookies": ["Primitives"],
    "OAuth": ["Primitives"],
    "SessionClient": ["Cookies", "OAuth", "HTTPMessages", "Crypto", "Primitives"],
    "SessionProxy": ["SessionClient", "Cookies", "OAuth", "HTTPMessages", "Crypto", "Observability", "Primitives"],
    "IdentityProvider": ["JOSE", "Crypto", "OAuth", "HTTPMessages", "Observability", "Primitives"],
    "StoreSQLite": ["IdentityProvider", "OAuth", "Crypto", "Primitives", "CSQLite"],
    "IdentityProviderTesting": [
        "IdentityProvider", "Networking", "JOSE", "OAuth", "HTTPMessages", "Observability", "Primitives",
    ],
    "SessionClientFoundation": [
        "SessionClient", "Cookies", "OAuth", "HTTPMessages", "Primitives", "Foundation", "FoundationNetworking",
    ],
    "SharedLogin": ["SessionClient", "Networking", "OAuth", "HTTPMessages", "Primitives"],
    "SignOutDemo": [
        "SessionClient", "SessionClientFoundation", "IdentityProviderTesting", "Cookies", "HTTPMessages", "Primitives",
    ],
    "pawl": [
        "IdentityProvider", "StoreSQLite", "SessionProxy", "SessionClient", "Networking", "OAuth", "JOSE", "Crypto",
        "HTTPWire", "HTTPMessages", "Observability", "Primitives",
    ],
]

/// What comes with the toolchain and is light: no module of the server's path may pull in Foundation.
private let toolchain: Set<String> = ["Swift", "Synchronization", "Glibc", "Musl", "Darwin", "_Concurrency"]

/// What Apple's platforms alone have, for files that are compiled there alone.
private let appleFrameworks: Set<String> = [
    "CoreFoundation", "CryptoKit", "Dispatch", "Foundation", "Security", "WebKit",
]

extension SourceFile {
    /// Whether everything in it stands between a question for a framework of Apple's and the end of it.
    fileprivate var isForAppleAlone: Bool {
        let questions = lines.filter { $0.hasPrefix("#") }
        return questions.count == 2 && questions[0] == lines.first && questions[1] == "#endif"
            && ["#if canImport(CryptoKit)", "#if canImport(WebKit)", "#if canImport(Security)"].contains(questions[0])
    }

    /// Whether it stands between a question for CryptoKit, answered by no, and the end of that.
    fileprivate var isWhereThereIsNoCryptoKit: Bool {
        lines.first == "#if !canImport(CryptoKit)" && lines.last { !$0.isEmpty } == "#endif"
    }
}

@Suite struct ArchitectureTests {
    @Test(arguments: SourceTree.sources)
    func importsOnlyWhatTheArchitectureAllows(_ file: SourceFile) {
        let allowed = allowedImports[file.module, default: []].union(toolchain)
            .union(file.isForAppleAlone ? appleFrameworks : [])
        for name in file.imports {
            #expect(allowed.contains(name), "\(file.path) imports \(name)")
        }
    }

    @Test func theTableNamesEveryModuleAndNoOther() {
        #expect(Set(SourceTree.sources.map(\.module)) == Set(allowedImports.keys))
    }

    @Test func theTableHasNoCycle() {
        var settled: Set<String> = ["COpenSSL", "CLinux", "CSQLite", "Foundation", "FoundationNetworking"]
        var waiting = allowedImports
        while let next = waiting.first(where: { settled.isSuperset(of: $0.value) }) {
            settled.insert(next.key)
            waiting[next.key] = nil
        }
        #expect(waiting.isEmpty, "a cycle runs through \(waiting.keys.sorted())")
    }

    /// What compiles for Apple platforms too knows no epoll and no OpenSSL, and reaches the C library through
    /// `canImport` alone.
    @Test(
        arguments: SourceTree.sources.filter {
            ["Primitives", "OAuth", "Cookies", "SessionClient"].contains($0.module)
        })
    func portableModulesGuardTheirPlatformImports(_ file: SourceFile) {
        guard let glibc = file.lines.firstIndex(where: { $0 == "import Glibc" }) else { return }
        #expect(glibc > 0 && file.lines[glibc - 1] == "#if canImport(Glibc)", "\(file.path)")
    }

    /// `Crypto` is made of OpenSSL in one folder and of CryptoKit in another, each for platforms that do not see the other.
    @Test(arguments: SourceTree.sources.filter { $0.module == "Crypto" })
    func cryptographyIsMadeOfOneLibraryAtATime(_ file: SourceFile) {
        #expect(file.path.contains("/OpenSSL/") == file.isWhereThereIsNoCryptoKit, "\(file.path)")
        #expect(file.path.contains("/CryptoKit/") == file.isForAppleAlone, "\(file.path)")
        #expect(file.isWhereThereIsNoCryptoKit || !file.imports.contains("COpenSSL"), "\(file.path)")
    }

    /// Time comes from the injected clock: a sleeper that goes straight to the runtime is lost to every schedule.
    @Test(
        arguments: SourceTree.sources.filter {
            ["OAuth", "Cookies", "SessionClient", "SessionProxy", "IdentityProvider", "JOSE"].contains($0.module)
        })
    func pureModulesNeverSleep(_ file: SourceFile) {
        for (index, line) in file.lines.enumerated() {
            #expect(!line.contains("Task.sleep"), "\(file.path):\(index + 1)")
            #expect(!line.contains("SystemWallClock()"), "\(file.path):\(index + 1)")
        }
    }
}
