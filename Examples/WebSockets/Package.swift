// swift-tools-version: 6.2
import PackageDescription

// WebSockets without lists: programs of one file each, to read and to copy from.
//
//     swift run --package-path Examples/WebSockets Chat          then, in other terminals:
//     swift run --package-path Examples/WebSockets Client ws://localhost:8080/rooms/lobby hello
//
// In a package of your own the first dependency is this project's address instead of "../..".

let package = Package(
    name: "WebSocketExamples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RefreshableLists", path: "../..")],
    targets: ["Echo", "Chat", "Ticker", "Client"].map { name in
        .executableTarget(
            name: name, dependencies: [.product(name: "WebSockets", package: "RefreshableLists")], path: name)
    }
)
