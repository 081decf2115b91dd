// swift-tools-version: 6.2

import PackageDescription

// A package of its own, below the one it tests: what has to be installed for it is much, and nobody who builds the other
// needs it. It sees of it what every user sees. `make webkit` builds and runs it.

let habits: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let client = Target.Dependency.product(name: "SessionClient", package: "pawl")

let package = Package(
    name: "webkitgtk-harness",
    dependencies: [.package(name: "pawl", path: "../..")],
    targets: [
        .systemLibrary(name: "CWebKitGTK"),
        .target(name: "WebKitGTKSurface", dependencies: ["CWebKitGTK", client], swiftSettings: habits),
        .executableTarget(name: "WebKitApp", dependencies: ["WebKitGTKSurface", client], swiftSettings: habits),
        .testTarget(
            name: "WebKitGTKTests",
            dependencies: [
                "WebKitGTKSurface", "WebKitApp", "CWebKitGTK", client,
                .product(name: "IdentityProviderTesting", package: "pawl"),
            ],
            swiftSettings: habits),
    ],
    swiftLanguageModes: [.v6]
)
