// swift-tools-version: 6.2
import PackageDescription

// Servers to read and to copy from, each with tests of its handlers:
//
//     swift run --package-path Examples FiveSystems          then open http://localhost:8080 and pull
//     swift test --package-path Examples
//
// In a package of your own the first dependency is this project's address instead of "..".

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RefreshableLists", path: "..")],
    targets: ["FiveSystems", "Log", "Mailbox", "Menu", "TwoListsAndAPush"].flatMap { name -> [Target] in
        [
            .executableTarget(
                name: name, dependencies: [.product(name: "RefreshableLists", package: "RefreshableLists")],
                path: "\(name)/Sources"),
            .testTarget(
                name: "\(name)Tests",
                dependencies: [
                    .target(name: name), .product(name: "RefreshableListsTesting", package: "RefreshableLists"),
                ],
                path: "\(name)/Tests"),
        ]
    }
)
