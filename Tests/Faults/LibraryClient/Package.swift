// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/faults --client swift: the client library as a program that the harness drives by lines of JSON.

let package = Package(
    name: "FaultsClient",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RefreshableLists", path: "../../..")],
    targets: [
        .executableTarget(
            name: "FaultsClient",
            dependencies: [.product(name: "RefreshableListsClient", package: "RefreshableLists")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
