import Foundation
import Pulling
import Testing

/// The tables of Tests/Traces, held against the reducer.
struct TraceTests {
    @Test(arguments: try Trace.all())
    func everyRuleHolds(_ trace: Trace) throws {
        var settings = Settings()
        var replay: Replay?
        for step in trace.steps {
            if replay == nil, step.columns.isEmpty, try settings.read(step.words) { continue }
            replay = try perform(step, of: trace, settings, on: replay ?? Replay(settings))
        }
    }

    @Test(
        arguments: ["A3", "B2", "B3", "C1", "D1", "D3", "D4", "E1", "E5"]
            + [1, 2, 3, 4, 9, 10, 12].map { "fault \($0)" })
    func everySeedOfTheGestureHasARule(_ seed: String) throws {
        let lines = try Trace.tables().flatMap { $0.text.split(separator: "\n") }
        let remarks = lines.filter { $0.contains("SEEDS ") }.compactMap { $0.split(separator: "SEEDS ").last }
        let words = remarks.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.joined(separator: " ")
        #expect(" \(words) ".contains(" \(seed) "), "no rule of Tests/Traces names \(seed)")
    }

    @Test(arguments: [
        "    pull 1  waiting": "a step before the first rule",
        "A rule.": "a rule without steps",
        "A rule.\n    push 1  waiting": "no such event: push",
        "A rule.\n    pull far  waiting": "not a number: far",
        "A rule.\n    pull 1": "a word is missing",
        "A rule.\n    pull 1  resting": "no such phase: resting",
        "A rule.\n    pull 1  waiting  maybe": "no such column: maybe",
        "A rule.\n    preset fancy\n    pull 1  waiting": "no such preset: fancy",
    ])
    func aTableThatCannotBeReadSaysWhy(_ text: String, reason: String) throws {
        let error = #expect(throws: TraceError.self) {
            for trace in try Trace.read(text, from: "made-up.trace") { try everyRuleHolds(trace) }
        }
        #expect(error?.reason.hasPrefix(reason) == true, "got \(error?.reason ?? "nothing")")
    }

    private func perform(
        _ step: Trace.Step, of trace: Trace, _ settings: Settings, on replay: Replay
    ) throws -> Replay {
        var replay = replay
        let command = try Command(step.words)
        let seen = replay.observe(command)
        if command == .touch, step.columns.isEmpty { return replay }
        let expected = try Columns(step.columns, after: command, seen: seen, isStrict: settings.isStrict)
        let differences = expected.differences(from: seen)
        #expect(
            differences.isEmpty,
            "\(trace.file):\(step.line): \(step.words.joined(separator: " "))\n\(differences.joined(separator: "\n"))")
        return replay
    }
}
