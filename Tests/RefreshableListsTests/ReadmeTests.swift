import Foundation
import RefreshableLists
import Testing

/// Swift of the README and of the article on servers, kept true by being compiled: what is between the marks is also there.
private func readme() async throws {
    let mailbox = Mailbox()
    // README
    let server = RefreshableServer {
        RefreshableList("mailbox")
            .refreshable {
                try await mailbox.fetch().map { ListRow($0.id, title: $0.subject, subtitle: $0.sender) }
            }
    }
    // README
    try await server.run()
    // README
    try await server["mailbox"]?.edit { rows in
        rows.insert(ListRow("42", title: "Lunch?"))
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
    @Test(arguments: [
        (1, "README.md"), (3, "Sources/RefreshableLists/RefreshableLists.docc/SwiftServer.md"),
    ]) func exampleInTheReadmeIsCompiled(part: Int, document: String) throws {
        let here = URL(filePath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let text = try String(
            contentsOf: here.deletingLastPathComponent().appending(path: "../../\(document)"), encoding: .utf8)
        let example = source.components(separatedBy: "    // README\n")[part].replacing("\n    ", with: "\n")

        #expect(text.contains(example.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
