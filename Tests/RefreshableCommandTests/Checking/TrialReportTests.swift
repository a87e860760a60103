import KeyedLists
import RefreshableLists
import Testing

@testable import RefreshableCommand

struct TrialReportTests {
    @Test
    func aSuccessShowsTheFirstThreeRows() {
        let rows = (1...5).map { Row("\($0)", title: "Row \($0)") }
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
                "a: failed in 1.2 s", "  It was silent for 30 s. Its `deadline` may be longer, or none.",
            ])
    }

    @Test
    func aProblemDoesNotRepeatASecret() {
        var secrets = Secrets()
        secrets.note("correct-horse", of: "TOKEN")
        let failure = RefreshOutcome.failure(RefreshFailure("No."))
        #expect(lines(failure, detail: "It printed: correct-horse", secrets: secrets).last == "  It printed: ${TOKEN}")
    }

    private func lines(
        _ outcome: RefreshOutcome, _ rows: [Row] = [], detail: String? = nil, secrets: Secrets = Secrets()
    ) -> [String] {
        let result = TrialList.Result(
            outcome: outcome, rows: rows, detail: detail, duration: .milliseconds(1234))
        return TrialReport(name: "a", result: result, secrets: secrets).lines(width: 80, isColoured: false, now: 0)
    }
}
