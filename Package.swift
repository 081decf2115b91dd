// swift-tools-version: 6.2

import PackageDescription

/// Every module is compiled alike: strict concurrency by the language mode, and no warning is let through.
let habits: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// What is shipped lets one module's small functions become part of another's, generic ones above all. It takes flags that no
/// package may ask of who depends on it, so it is asked for where `make` builds in release. Programs are left out: their entry points
/// would be seen from outside, and meet where tests are linked with several.
let acrossModules: [SwiftSetting] =
    Context.environment["PAWL_OPTIMISED"] == nil
    ? []
    : [
        .unsafeFlags(
            ["-cross-module-optimization", "-Xllvm", "-cmo-function-size-limit=100"], .when(configuration: .release))
    ]

/// What is shipped has another allocator. Requests that are signed together are there together, and let go of what they hold
/// at once: glibc keeps seven free pieces of each size at hand and takes a longer way for the others, and this one keeps them
/// all. Linked before glibc, it is what `malloc` means to OpenSSL and to SQLite too.
///
/// It takes half a megabyte. As much is spared where libraries are not told the names of all that is in the program, for which
/// nobody asks them but the runtime, when it reports a fault. What measures modules by themselves has glibc's, as adopters have.
let shipped: [LinkerSetting] =
    Context.environment["PAWL_OPTIMISED"] == nil
    ? []
    : [
        .linkedLibrary("mimalloc", .when(platforms: [.linux], configuration: .release)),
        .unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux], configuration: .release)),
    ]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: habits + acrossModules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    // Tests are two thirds of a clean build, and a third of that would go into what a debugger wants to know of them, and into
    // the lines of a test that crashes. Who needs these asks for them: `swift test -Xswiftc -Xfrontend -Xswiftc -g`. A compiler
    // that takes more files at once looks at what they share once: each core gets one batch of a module, or two.
    //
    // Nothing is said of release: it is what is tested that is optimised, and not the tests. `scripts/build-release-tests`
    // links these with what is shipped, and does not compile them again, as `swift test -c release` does, for minutes.
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"],
        swiftSettings: habits + [
            .unsafeFlags(
                ["-Xfrontend", "-gnone", "-driver-batch-size-limit", "100"],
                .when(platforms: [.linux], configuration: .debug))
        ])
}

// The arrows of the architecture. Tests/TidyTests holds the sources to them.
var targets: [Target] = [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CSQLite"),

    .target(
        name: "Primitives",
        // For Array+Span.swift alone, which is compiled nowhere else.
        swiftSettings: habits + acrossModules
            + [.enableExperimentalFeature("Lifetimes", .when(platforms: [.macOS, .iOS]))]),
    module("Observability", ["Primitives"]),
    // Where there is CryptoKit it is that: a Mac that builds the session client needs no OpenSSL.
    module("Crypto", ["Primitives", .target(name: "COpenSSL", condition: .when(platforms: [.linux]))]),
    module("JOSE", ["Crypto", "Primitives"]),
    module("HTTPMessages", ["Primitives"]),
    module("HTTPWire", ["HTTPMessages", "Primitives"]),
    module("Networking", ["HTTPWire", "HTTPMessages", "Observability", "Primitives", "CLinux", "COpenSSL"]),
    module("Cookies", ["Primitives"]),
    module("OAuth", ["Primitives"]),
    module("SessionClient", ["Cookies", "OAuth", "HTTPMessages", "Crypto", "Primitives"]),
    module("SessionClientFoundation", ["SessionClient", "Cookies", "OAuth", "HTTPMessages", "Primitives"]),
    module(
        "SessionProxy",
        ["SessionClient", "Cookies", "OAuth", "HTTPMessages", "Crypto", "Observability", "Primitives"]),
    module("IdentityProvider", ["JOSE", "Crypto", "OAuth", "HTTPMessages", "Observability", "Primitives"]),
    module("StoreSQLite", ["IdentityProvider", "OAuth", "Crypto", "Primitives", "CSQLite"]),
    module(
        "IdentityProviderTesting",
        ["IdentityProvider", "Networking", "JOSE", "OAuth", "HTTPMessages", "Observability", "Primitives"]),
    .executableTarget(
        name: "pawl",
        dependencies: [
            "IdentityProvider", "StoreSQLite", "SessionProxy", "SessionClient", "Networking", "OAuth", "JOSE", "Crypto",
            "HTTPWire", "HTTPMessages", "Observability", "Primitives",
        ],
        swiftSettings: habits,
        linkerSettings: shipped
    ),

    .executableTarget(
        name: "SharedLogin",
        dependencies: ["SessionClient", "Networking", "OAuth", "HTTPMessages", "Primitives"],
        swiftSettings: habits
    ),
    // An adopter's code: what only this package may use is none of its business.
    .executableTarget(
        name: "SignOutDemo",
        dependencies: [
            "SessionClient", "SessionClientFoundation", "IdentityProviderTesting", "Cookies", "HTTPMessages",
            "Primitives",
        ],
        packageAccess: false,
        swiftSettings: habits
    ),

    .target(
        name: "TestSupport", dependencies: ["HTTPMessages", "Observability", "Primitives"], path: "Tests/TestSupport",
        swiftSettings: habits),
    tests("PrimitivesTests", ["Primitives"]),
    tests("ObservabilityTests", ["Observability", "Primitives"]),
    tests("CryptoTests", ["Crypto", "Primitives"]),
    tests("JOSETests", ["JOSE", "Crypto", "Primitives"]),
    tests("HTTPMessagesTests", ["HTTPMessages", "Primitives"]),
    tests("HTTPWireTests", ["HTTPWire", "HTTPMessages", "Primitives"]),
    tests("NetworkingTests", ["Networking", "HTTPWire", "HTTPMessages", "Observability", "Primitives"]),
    tests("CookiesTests", ["Cookies", "Primitives"]),
    tests("OAuthTests", ["OAuth", "Primitives"]),
    tests("SessionClientTests", ["SessionClient", "Cookies", "OAuth", "HTTPMessages", "Crypto", "Primitives"]),
    tests(
        "SessionProxyTests",
        [
            "SessionProxy", "SessionClient", "Cookies", "OAuth", "HTTPMessages", "Crypto", "Observability",
            "Primitives",
        ]),
    tests(
        "IdentityProviderTests",
        [
            "IdentityProvider", "StoreSQLite", "JOSE", "Crypto", "OAuth", "HTTPMessages", "Observability",
            "Primitives",
        ]),
    tests("StoreSQLiteTests", ["StoreSQLite", "IdentityProvider", "OAuth", "HTTPMessages", "Primitives", "CSQLite"]),
    tests(
        "BrowserTests",
        ["IdentityProvider", "Networking", "JOSE", "OAuth", "HTTPMessages", "Observability", "Primitives"]),
    tests(
        "PawlTests",
        [
            "pawl", "Networking", "JOSE", "Crypto", "Cookies", "HTTPWire", "HTTPMessages", "Observability",
            "Primitives",
        ]),
    tests(
        "IdentityProviderTestingTests",
        ["IdentityProviderTesting", "Networking", "JOSE", "HTTPMessages", "Primitives"]),
    tests(
        "SharedLoginTests",
        [
            "SharedLogin", "SignOutDemo", "SessionClient", "SessionClientFoundation", "IdentityProviderTesting",
            "Networking", "Cookies", "OAuth", "HTTPMessages", "Primitives",
        ]),
    tests(
        "SessionClientFoundationTests",
        [
            "SessionClientFoundation", "SessionClient", "IdentityProviderTesting", "Cookies", "OAuth", "HTTPMessages",
            "Primitives",
        ]),
    tests("TidyTests", []),
]

// Built on demand, so that a plain build or test does not pay for them: `make fuzz`, `make bench`.
if Context.environment["PAWL_FUZZ"] != nil {
    targets.append(
        .executableTarget(
            name: "pawl-fuzz",
            dependencies: [
                "IdentityProvider", "SessionClient", "Cookies", "OAuth", "JOSE", "Crypto", "HTTPWire", "HTTPMessages",
                "Primitives",
            ],
            path: "Fuzzing",
            exclude: ["run"],
            swiftSettings: habits + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
if Context.environment["PAWL_BENCH"] != nil {
    targets.append(
        .executableTarget(
            name: "pawl-bench",
            dependencies: [
                "IdentityProvider", "StoreSQLite", "OAuth", "HTTPMessages", "JOSE", "Crypto", "Primitives", "COpenSSL",
                "CSQLite",
            ],
            path: "Benchmarks",
            exclude: ["bench.py", "driver"],
            swiftSettings: habits
        )
    )
}

let package = Package(
    name: "pawl",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "pawl", targets: ["pawl"]),
        .library(name: "IdentityProviderTesting", targets: ["IdentityProviderTesting"]),
        // With the modules whose types stand in its signatures: an app imports them by name.
        .library(
            name: "SessionClient",
            targets: ["SessionClient", "SessionClientFoundation", "Cookies", "OAuth", "HTTPMessages", "Primitives"]),
        .library(name: "Cookies", targets: ["Cookies"]),
    ],
    targets: targets,
    swiftLanguageModes: [.v6]
)
