import KeyedLists
import Testing

@testable import RefreshableCommand

struct ToolTests {
    @Test
    func theVersionIsThatOfThePackageOfThePage() throws {
        let package = try JSONValue(json: Array(text(of: "Public/package.json").utf8))
        guard case .object(let members) = package else { return #expect(Bool(false), "It is no object.") }
        #expect(members["version"] == .string(RefreshableTool.version))
    }

    @Test(arguments: ToolStatus.allCases)
    func everyStatusIsInTheHelpAndInTheDocumentation(status: ToolStatus) throws {
        let article = try text(of: "Sources/RefreshableLists/RefreshableLists.docc/TheCommandLine.md")
        #expect(article.contains("| \(status.rawValue) | \(status.meaning) |"))
        #expect(ToolStatus.table.contains("  \(status.rawValue) "))
    }

    private func text(of file: String) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try TextFile.read("\(root)/\(file)")
    }
}
