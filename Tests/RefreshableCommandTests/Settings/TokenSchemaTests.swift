import Foundation
import RefreshableLists
import Testing

@testable import RefreshableCommand

/// The schema of the file of tokens has every word that its reader knows, and no other. `Tests/Integration/schema.py` has
/// both judge the same files.
struct TokenSchemaTests {
    private typealias Node = [String: Any]

    @Test func theWordsAreThoseOfTheReader() throws {
        let faults = FaultCollector()
        _ = try TokenSettings(reading: "- {name: a, anonymous: true, lists: {}}", file: "a.yaml", faults: faults)
        let token = try definition("token")
        #expect(Set((token["properties"] as? Node ?? [:]).keys) == faults.words["token"])
    }

    @Test func theRightsAreThoseThatThereAre() throws {
        let forms = try #require(try definition("right")["anyOf"] as? [Node])
        #expect(forms.compactMap { $0["enum"] as? [String] } == [AccessRight.allCases.map(\.rawValue)])
    }

    @Test func itIsTheOneThatTheToolPrints() throws {
        let printed = try JSONSerialization.jsonObject(with: Data(PackageResources.tokens_schema_json)) as? Node
        #expect(printed?["title"] as? String == "tokens.yaml of Refreshable Lists")
    }

    private func definition(_ name: String) throws -> Node {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let data = try Data(contentsOf: URL(fileURLWithPath: "/\(folder)/Documentation/tokens.schema.json"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? Node)
        return try #require((root["$defs"] as? Node)?[name] as? Node)
    }
}
