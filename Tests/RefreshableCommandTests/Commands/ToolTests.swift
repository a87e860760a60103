import ArgumentParser
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
        let article = try text(of: "Sources/RefreshableLists/RefreshableLists.docc/CommandLine.md")
        #expect(article.contains("| \(status.rawValue) | \(status.meaning) |"))
        #expect(ToolStatus.table.contains("  \(status.rawValue) "))
    }

    @Test
    func whatHelpDrawsIsNotBrokenIn80Columns() {
        let tools: [any ParsableCommand.Type] = [RefreshableTool.self] + RefreshableTool.configuration.subcommands
        for tool in tools {
            for line in tool.configuration.discussion.split(separator: "\n") {
                // Sentences are broken where the terminal ends. What begins with blanks is drawn, and must stay as it is.
                if line.hasPrefix("  ") { #expect(line.count < 80) } else { #expect(!line.contains("  ")) }
            }
        }
    }

    @Test
    func aWordThatIsNoCommandIsToldWithTheOneThatWasMeant() throws {
        func problem(_ words: String...) -> String? { RefreshableTool.unknownCommand(in: words) }
        #expect(problem("server", "a.yaml") == "There is no command \"server\"; did you mean `refreshable serve`?")
        #expect(problem("a.yaml") == "There is no command \"a.yaml\"; did you mean `refreshable serve a.yaml`?")
        let others = try #require(problem("frobnicate"))
        #expect(others.hasPrefix("There is no command \"frobnicate\"; there are init, serve, check, "))
        for words in [[], ["serve"], ["help", "serve"], ["--version"], ["-h"]] {
            #expect(RefreshableTool.unknownCommand(in: words) == nil)
        }
    }

    private func text(of file: String) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try TextFile.read("\(root)/\(file)")
    }
}
