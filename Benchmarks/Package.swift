// swift-tools-version: 6.2
import PackageDescription

// Run by Scripts/bench. The tool takes for a benchmark whatever executable lies in a folder of this one's name.

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "RefreshableLists", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CHeap", path: "CHeap"),
        .executableTarget(
            name: "Lists",
            dependencies: [
                "CHeap", .product(name: "_Rooms", package: "RefreshableLists"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Lists",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)
