import Testing

@testable import RefreshableCommand

/// What `init` writes.
struct InitialSettingsTests {
    @Test
    func itIsServedAsItStands() throws {
        let settings = try Settings(reading: try text(), file: "lists.yaml")
        #expect(settings.lists.map(\.name) == ["disks", "mailbox", "notes"])
    }

    @Test
    func whatItSuggestsIsServedOnceItsSignsAreTakenAway() throws {
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isSuggestion = ["  # - ", "  #   ", "# server:", "#   host", "#   port"].contains(where: line.hasPrefix)
            guard isSuggestion, !line.contains("curl"), let sign = line.firstRange(of: "# ") else {
                return String(line)
            }
            return String(line[..<sign.lowerBound] + line[sign.upperBound...])
        }
        let settings = try Settings(reading: lines.joined(separator: "\n"), file: "lists.yaml")
        #expect(
            settings.lists.map(\.name) == ["disks", "mailbox", "notes", "people", "issues", "news", "orders"])
        #expect(settings.server == [.host: "0.0.0.0", .port: "8080"])
    }

    private func text() throws -> String {
        try #require(String(validating: PackageResources.init_yaml, as: UTF8.self))
    }
}
