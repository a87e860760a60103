// swift-tools-version: 6.2
import PackageDescription

// A target exists only where it forbids an import. Arrows point down; neighbours never meet:
//
//          RefreshableCommand   RefreshableListsTesting
//                    RefreshableLists   RefreshableListsClient: ListProtocol, Pulling, WebSockets
//    ListProtocol  ListSources  ListStorage  WebSockets  WebPush  Pulling
//         └────────── KeyedLists ──┘         CLibwebsockets CLibuv CZlib; CCurl and CLibuv for ListSources;
//                                            COpenSSL for WebPush; CTerminal for RefreshableCommand;
//                                            CPlatform for whoever needs what systems do differently

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "RefreshableLists",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "RefreshableLists", targets: ["RefreshableLists"]),
        .library(name: "RefreshableListsClient", targets: ["RefreshableListsClient"]),
        .library(name: "RefreshableListsTesting", targets: ["RefreshableListsTesting"]),
        .library(name: "WebSockets", targets: ["WebSockets"]),
        .executable(name: "refreshable", targets: ["RefreshableCommand"]),
        // For Benchmarks, which measures rooms by themselves. No API.
        .library(name: "_Rooms", targets: ["KeyedLists", "ListProtocol", "ListStorage"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CLibwebsockets", pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev", "libwebsockets-evlib-uv"]), .brew(["libwebsockets"])]),
        .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CTerminal"),
        .systemLibrary(name: "CPlatform"),

        .target(name: "Pulling", swiftSettings: strict),
        .target(name: "KeyedLists", swiftSettings: strict),
        .target(name: "ListProtocol", dependencies: ["KeyedLists"], swiftSettings: strict),
        .target(
            name: "ListSources",
            dependencies: [
                "KeyedLists", "CCurl", "CLibuv", "CPlatform", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict),
        .target(
            name: "ListStorage",
            dependencies: ["KeyedLists", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "WebSockets",
            dependencies: [
                "CLibwebsockets", "CLibuv", "CPlatform", "CZlib",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(name: "WebPush", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(
            name: "RefreshableLists",
            dependencies: [
                "CPlatform", "KeyedLists", "ListProtocol", "ListSources", "ListStorage", "Pulling", "WebPush",
                "WebSockets",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict),
        .target(
            name: "RefreshableListsClient",
            dependencies: [
                "KeyedLists", "ListProtocol", "Pulling",
                // Apple's systems have WebSockets of their own.
                .target(name: "WebSockets", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .target(
            name: "RefreshableListsTesting",
            dependencies: [
                "RefreshableLists", "RefreshableListsClient", "KeyedLists", "ListProtocol", "ListStorage", "Pulling",
                "WebSockets", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "RefreshableCommand",
            dependencies: [
                "RefreshableLists", "RefreshableListsClient", "KeyedLists", "ListProtocol", "ListSources",
                "ListStorage",
                "Pulling", "WebPush", "WebSockets", "CTerminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict),

        .testTarget(name: "PullingTests", dependencies: ["Pulling"], swiftSettings: strict),
        .testTarget(name: "KeyedListsTests", dependencies: ["KeyedLists"], swiftSettings: strict),
        .testTarget(
            name: "ListProtocolTests", dependencies: ["ListProtocol", "KeyedLists"], swiftSettings: strict),
        .testTarget(
            name: "ListSourcesTests",
            dependencies: ["ListSources", "KeyedLists", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .testTarget(
            name: "ListStorageTests",
            dependencies: ["ListStorage", "KeyedLists", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .testTarget(
            name: "WebSocketsTests",
            dependencies: [
                "WebSockets", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(name: "WebPushTests", dependencies: ["WebPush"], swiftSettings: strict),
        .testTarget(
            name: "RefreshableListsTests",
            dependencies: [
                "RefreshableLists", "RefreshableListsTesting", "KeyedLists", "ListProtocol", "ListSources",
                "ListStorage", "Pulling", "WebPush", "WebSockets",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RefreshableListsClientTests",
            dependencies: ["RefreshableListsClient", "KeyedLists", "ListProtocol"], swiftSettings: strict),
        .testTarget(
            name: "RefreshableListsTestingTests",
            dependencies: [
                "RefreshableListsTesting", "RefreshableLists", "RefreshableListsClient", "KeyedLists", "Pulling",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RefreshableCommandTests",
            dependencies: [
                "RefreshableCommand", "RefreshableLists", "RefreshableListsClient", "KeyedLists", "ListProtocol",
                "ListSources", "Pulling",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
    ]
)
