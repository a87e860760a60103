import KeyedLists
import ListSources
import RefreshableLists
import Testing

@testable import RefreshableCommand

struct TrialReportTests {
    @Test
    func aSuccessShowsTheFirstThreeRows() {
        let rows = (1...5).map { ListRow("\($0)", title: "Row \($0)") }
        #expect(
            lines(.success, rows) == [
                "a: 5 rows in 1.2 s", "  KEY  TITLE", "  1    Row 1", "  2    Row 2", "  3    Row 3",
            ])
        #expect(lines(.success, []) == ["a: no rows in 1.2 s"])
    }

    @Test
    func aFailureIsInTheSourcesOwnWords() {
        let failure = RefreshOutcome.failure(RefreshFailure("It ended with status 1."))
        #expect(lines(failure) == ["a: failed in 1.2 s", "  It ended with status 1."])
        #expect(
            lines(failure, detail: "It ended with status 1. It printed: no such file\nor folder") == [
                "a: failed in 1.2 s", "  It ended with status 1. It printed: no such file", "  or folder",
            ])
    }

    @Test
    func aDeadlineSaysHowToAllowMore() {
        #expect(
            lines(.timeout(after: .seconds(30))) == [
                "a: failed in 1.2 s", "  It had no output for 30 s. Raise its `deadline`, or set it to none.",
            ])
    }

    @Test
    func fieldsThatNoRowHasAreTold() {
        let rows = [ListRow("1", title: "Apple"), ListRow("2", title: "Banana", badge: "3")]
        let fields = FieldMapping([.title: .name("name"), .subtitle: .name("twon"), .badge: .number(4)])
        #expect(
            lines(.success, rows, fields: fields) == [
                "a: 2 rows in 1.2 s", "  KEY  TITLE   BADGE", "  1    Apple", "  2    Banana  3",
                "  No row has a subtitle: its `fields` say twon, which is missing or empty in all.",
            ])
        #expect(lines(.success, [], fields: fields) == ["a: no rows in 1.2 s"])
    }

    @Test
    func aProblemDoesNotRepeatASecret() {
        var secrets = Secrets()
        secrets.note("correct-horse", of: "TOKEN")
        let failure = RefreshOutcome.failure(RefreshFailure("No."))
        #expect(lines(failure, detail: "It printed: correct-horse", secrets: secrets).last == "  It printed: ${TOKEN}")
    }

    private func lines(
        _ outcome: RefreshOutcome, _ rows: [ListRow] = [], fields: FieldMapping = FieldMapping(), detail: String? = nil,
        secrets: Secrets = Secrets()
    ) -> [String] {
        let result = TrialList.Result(
            outcome: outcome, rows: rows, detail: detail, duration: .milliseconds(1234))
        return TrialReport(name: "a", fields: fields, result: result, secrets: secrets)
            .lines(width: 80, isColoured: false, now: 0)
    }
}
