// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/bench sockets.

let package = Package(
    name: "SocketProgram",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RefreshableLists", path: "../../..")],
    targets: [
        .executableTarget(
            name: "SocketProgram", dependencies: [.product(name: "WebSockets", package: "RefreshableLists")], path: ".",
            exclude: ["Package.swift"], swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
