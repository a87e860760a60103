import Foundation
import Pulling
import Testing

/// Random pulls, against rules that hold of every one, and for the page's twin to be compared with.
///
/// The seed is `PULLING_SEED`, or 1; a rule that fails prints the seed of its own, and its table.
struct RandomTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["PULLING_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = environment["PULLING_COUNT"].flatMap(UInt64.init) ?? 3000

    @Test func everyRandomPullKeepsTheRules() {
        print("Random pulls: PULLING_SEED=\(Self.seed) PULLING_COUNT=\(Self.count)")
        for rule in Self.rules {
            let broken = Self.broken(rule)
            #expect(broken.isEmpty, "seed \(rule.seed): \(broken.joined(separator: ", "))\n\(rule)")
            guard broken.isEmpty else { return }
        }
    }

    @Test func randomPullsReachEveryAnswerAndEveryPhase() {
        var seen: Set<String> = []
        for rule in Self.rules {
            var replay = Replay(rule.settings)
            for handled in rule.commands.flatMap({ replay.perform($0) }) {
                seen.insert("\(handled.before.phase) to \(handled.after.phase)")
                seen.insert(handled.actions.answer?.rawValue ?? "")
            }
        }
        let steps = ["waiting to primed", "primed to waiting", "primed to loading", "waiting to loading"]
        let more = ["loading to closing", "loading to waiting", "closing to waiting", "closing to primed"]
        let wanted = steps + more + ["closing to loading"] + Pull.Answer.allCases.map(\.rawValue)
        #expect(wanted.filter { !seen.contains($0) } == [])
    }

    @Test func aRandomRuleReadsBackAsItWasWritten() throws {
        for rule in Self.rules.prefix(50) {
            let traces = try Trace.read("\(rule)", from: "random")
            try TraceTests().everyRuleHolds(#require(traces.first))
        }
    }

    /// Writes the rules that `Tests/Traces/compare` replays in JavaScript.
    @Test(.enabled(if: environment["PULLING_TABLE"] != nil, "only for Tests/Traces/compare"))
    func randomRulesAreWritten() throws {
        let path = try #require(Self.environment["PULLING_TABLE"])
        let table = Self.rules.map(\.description).joined(separator: "\n\n")
        try Data((table + "\n").utf8).write(to: URL(filePath: path))
    }

    private static var rules: some Sequence<RandomRule> {
        (0..<count).lazy.map { RandomRule(seed: seed &* 1_000_003 &+ $0) }
    }

    private static func broken(_ rule: RandomRule) -> [String] {
        var replay = Replay(rule.settings)
        var witness = PullInvariants(rule.settings)
        for (index, command) in rule.commands.enumerated() {
            for handled in replay.perform(command) {
                let broken = witness.watch(handled)
                guard broken.isEmpty else { return broken.map { "step \(index + 1) (\(command)): \($0)" } }
            }
        }
        return []
    }
}
