import Pulling
import Testing

@testable import RefreshableCommand

/// What is given to strangers to learn from is right.
struct ExampleTests {
    @Test
    func theExamplesAreServedAsTheyStand() throws {
        let lists = try settings("lists.yaml").lists
        #expect(
            lists.map(\.name).prefix(8) == [
                "commits", "processes", "disks", "notes", "hours", "names", "fruit", "classic",
            ])
        #expect(Set(lists.map(\.pull.configuration.trigger)) == [.release, .return, .crossing])
        #expect(Set(lists.map(\.pull.indicator)) == ["default", "simple", "circular"])
    }

    @Test
    func theDemosNeedNoCommand() throws {
        let lists = try settings("demos.yaml").lists
        #expect(lists.count == 7)
        #expect(lists.allSatisfy { if case .demo = $0.source { true } else { false } })
    }

    @Test(arguments: [
        "cut", "dragging-back", "errors", "later-edit", "not-watching", "one-run", "pulling", "rate", "refreshing",
        "spent", "stopping", "streaming", "too-large", "triggers", "twice", "watching", "welcome",
    ])
    func theScriptsCanBeRead(name: String) throws {
        let path = root + "Tests/Scripts/\(name).script"
        #expect(try !ScriptParser.steps(of: TextFile.read(path), file: name).isEmpty)
    }

    @Test
    func aFileThatIsNotThereSaysSo() {
        #expect(throws: TextFile.Unreadable(path: "/no/such", reason: "no such file or directory")) {
            try TextFile.read("/no/such")
        }
        #expect(TextFile.folder(of: "/usr/lists.yaml") == "/usr" && TextFile.folder(of: "/lists.yaml") == "/")
    }

    private func settings(_ name: String) throws -> Settings {
        try Settings(reading: TextFile.read(root + "Examples/\(name)"), file: name)
    }

    private var root: String {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/"
    }
}
