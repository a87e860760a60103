import Foundation
import RefreshableLists
import Testing

/// The README's Swift, kept true by being compiled: what stands between the marks stands there, too.
private func readme() async throws {
    let mailbox = Mailbox()
    // README
    let server = RefreshableServer {
        RefreshableList("mailbox")
            .refreshable {
                try await mailbox.fetch().map { Row($0.id, title: $0.subject, subtitle: $0.sender) }
            }
    }
    // README
    try await server.run()
    // README
    try await server["mailbox"]?.edit { rows in
        rows.insert(Row("42", title: "Lunch?"))
        rows.remove("17")
    }
    let outcome = await server["mailbox"]?.refresh?()
    // README
    _ = outcome
}

private struct Mailbox {
    struct Message {
        var id: String
        var subject: String
        var sender: String
    }

    func fetch() async throws -> [Message] { [] }
}

struct ReadmeTests {
    @Test(arguments: [1, 3]) func exampleInTheReadmeIsCompiled(part: Int) throws {
        let here = URL(filePath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let text = try String(
            contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"), encoding: .utf8)
        let example = source.components(separatedBy: "    // README\n")[part].replacing("\n    ", with: "\n")

        #expect(text.contains(example.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
