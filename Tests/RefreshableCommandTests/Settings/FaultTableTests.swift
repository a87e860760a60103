import Foundation
import Testing

@testable import RefreshableCommand

/// Every fault, word by word as a person reads it: the table in `Tests/Settings`.
struct FaultTableTests {
    private static let environment = ["HOME": "/home/me", "PASSWORD": "correct-horse"]

    @Test(arguments: names)
    func aFaultIsExplained(name: String) throws {
        let file = "\(name).yaml"
        let text = try TextFile.read("\(Self.folder)/\(file)")
        let faults = #expect(throws: SettingsFaults.self) {
            try Settings(reading: text, file: file, environment: Self.environment)
        }
        let said = faults.map { ($0.lines + [$0.summary]).joined(separator: "\n") + "\n" }
        #expect(try said == TextFile.read("\(Self.folder)/\(name).txt"))
    }

    @Test
    func theTableHasMoreThanFortyFaults() {
        #expect(Self.names.count > 40)
    }

    @Test
    func aServerThatCannotBeginSaysSo() {
        let faults = #expect(throws: SettingsFaults.self) { try Settings(reading: "lists:\n", file: "x.yaml") }
        #expect(faults?.description.hasSuffix("\n1 fault in x.yaml. Nothing is served.") == true)
    }

    private static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Settings"

    private static let names: [String] = {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
        } catch {
            preconditionFailure("Cannot read \(folder): \(error)")
        }
    }()
}
