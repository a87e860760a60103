// swift-tools-version: 6.2
import PackageDescription

// Lists inside a Hummingbird app, which has the port and the login:
//
//     swift run --package-path Examples/InsideHummingbird App          then open http://localhost:8080 and sign in
//
// A package of its own, as this project itself depends on neither Hummingbird nor SwiftNIO. In a package of your own the
// first dependency is this project's address instead of "../..".

let package = Package(
    name: "HummingbirdExample",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "RefreshableLists", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "RefreshableLists", package: "RefreshableLists"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            path: "App")
    ]
)
