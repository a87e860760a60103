// swift-tools-version: 6.2
import PackageDescription

// A target exists only where it forbids an import. Arrows point down; neighbours never meet:
//
//          RefreshableCommand   RefreshableListsTesting
//                    RefreshableLists   RefreshableListsClient: ListProtocol, Pulling, WebSockets
//    SQLiteSources WebSources CommandSources PostgresSources  SQLiteStorage PostgresStorage     by the traits SQLite, Web, …
//                 ListSources                 ListStorage  ListProtocol  WebSockets  WebPush  Pulling
//                      └─────── KeyedLists ────────┴────────────┘        Locking, CPlatform: for whoever needs them
//
// PostgresSources and PostgresStorage share PostgresConnections.
// C libraries: libwebsockets, libuv and zlib for WebSockets; libcurl for WebSources and libpq for PostgresConnections, both
// on EventLoops, which are libuv's; libcrypto for WebPush.

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
        .library(name: "_Rooms", targets: ["KeyedLists", "ListProtocol", "ListStorage", "SQLiteStorage"]),
    ],
    // What a server that needs less can leave out, with all that is fetched and built for it: `traits: []`.
    traits: [
        .trait(
            name: "SQLite", description: "Lists kept in a data folder, notifications, and rows from SQLite databases."),
        .trait(name: "Web", description: "Rows from web servers, and notifications."),
        .trait(
            name: "PostgreSQL",
            description: "Lists kept in PostgreSQL, by several servers, notifications, and rows from there."),
        .trait(name: "Commands", description: "Rows from commands, and actions that are commands."),
        .trait(
            name: "CommandLine", description: "The program `refreshable`.",
            enabledTraits: ["SQLite", "Web", "Commands", "PostgreSQL"]),
        .default(enabledTraits: ["CommandLine"]),
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
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(name: "CTerminal"),
        .systemLibrary(name: "CPlatform"),
        .target(name: "CPage", exclude: ["Resources"]),

        .target(name: "Locking", swiftSettings: strict),
        .target(name: "Pulling", swiftSettings: strict),
        .target(name: "KeyedLists", swiftSettings: strict),
        .target(name: "ListProtocol", dependencies: ["KeyedLists"], swiftSettings: strict),
        .target(name: "ListSources", dependencies: ["KeyedLists", "CPlatform", "Locking"], swiftSettings: strict),
        .target(
            name: "SQLiteSources",
            dependencies: [
                "KeyedLists", "ListSources", "Locking",
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict),
        .target(
            name: "WebSources",
            dependencies: [
                "KeyedLists", "ListSources", "Locking", "CPlatform", "EventLoops",
                .target(name: "CCurl", condition: .when(traits: ["Web"])), "CLibuv",
            ],
            swiftSettings: strict),
        .target(name: "EventLoops", dependencies: ["CLibuv", "CPlatform", "Locking"], swiftSettings: strict),
        .target(
            name: "PostgresConnections",
            dependencies: [
                .target(name: "CPostgres", condition: .when(traits: ["PostgreSQL"])), "EventLoops", "Locking",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "PostgresSources", dependencies: ["KeyedLists", "ListSources", "PostgresConnections"],
            swiftSettings: strict),
        .target(
            name: "CommandSources",
            dependencies: [
                "KeyedLists", "ListSources",
                .product(name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["Commands"])),
            ],
            swiftSettings: strict),
        .target(name: "ListStorage", dependencies: ["KeyedLists", "Locking"], swiftSettings: strict),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "KeyedLists", "ListStorage", "Locking",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict),
        .target(
            name: "PostgresStorage",
            dependencies: ["EventLoops", "KeyedLists", "ListStorage", "Locking", "PostgresConnections"],
            swiftSettings: strict),
        .target(
            name: "WebSockets",
            dependencies: [
                "CLibwebsockets", "CLibuv", "CPlatform", "CZlib", "Locking",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .target(name: "WebPush", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(
            name: "RefreshableLists",
            dependencies: [
                "CPage", "CPlatform", "KeyedLists", "ListProtocol", "ListSources", "ListStorage", "Locking", "Pulling",
                "WebPush", "WebSockets",
                .target(name: "SQLiteSources", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteStorage", condition: .when(traits: ["SQLite"])),
                .target(name: "WebSources", condition: .when(traits: ["Web"])),
                .target(name: "PostgresSources", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "PostgresStorage", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "CommandSources", condition: .when(traits: ["Commands"])),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
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
                "RefreshableLists", "RefreshableListsClient", "KeyedLists", "ListProtocol", "ListStorage", "Locking",
                "Pulling", "WebSockets", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "RefreshableCommand",
            dependencies: [
                "RefreshableLists", "RefreshableListsClient", "KeyedLists", "ListProtocol", "ListSources",
                "CommandSources", "PostgresSources", "SQLiteSources", "WebSources", "ListStorage", "PostgresStorage",
                "SQLiteStorage", "Pulling", "WebPush", "WebSockets", "CPlatform", "CTerminal",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["CommandLine"])),
            ],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict),

        .testTarget(name: "PullingTests", dependencies: ["Pulling"], swiftSettings: strict),
        .testTarget(name: "KeyedListsTests", dependencies: ["KeyedLists"], swiftSettings: strict),
        .testTarget(
            name: "ListProtocolTests", dependencies: ["ListProtocol", "KeyedLists"], swiftSettings: strict),
        .testTarget(
            name: "ListSourcesTests",
            dependencies: [
                "ListSources", "CommandSources", "PostgresConnections", "PostgresSources", "SQLiteSources",
                "WebSources", "KeyedLists",
                "Locking",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ListStorageTests",
            dependencies: [
                "ListStorage", "PostgresConnections", "PostgresStorage", "SQLiteStorage", "KeyedLists", "Locking",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebSocketsTests",
            dependencies: [
                "WebSockets", "Locking", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .testTarget(name: "WebPushTests", dependencies: ["WebPush"], swiftSettings: strict),
        .testTarget(
            name: "RefreshableListsTests",
            dependencies: [
                "RefreshableLists", "RefreshableListsTesting", "KeyedLists", "ListProtocol", "ListSources",
                "CommandSources", "SQLiteSources", "WebSources", "ListStorage", "SQLiteStorage", "Locking", "Pulling",
                "WebPush", "WebSockets",
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
                "ListSources", "CommandSources", "PostgresSources", "SQLiteSources", "WebSources", "Pulling",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // All that `Scripts/fuzz` gives noise to, in one module that it links to libFuzzer.
        .testTarget(
            name: "FuzzTests",
            dependencies: ["ListProtocolTests", "ListSourcesTests", "RefreshableCommandTests", "WebSocketsTests"],
            swiftSettings: strict),
    ]
)
