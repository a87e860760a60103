import Pulling
import Testing

/// What a list's states come to, whichever of them were left out. `Tests/Traces/lists.trace` has them one by one.
struct KnownRunTests {
    @Test(arguments: UInt64(1)...200)
    func aPullWithoutAFingerIsWhereItsListIs(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var known = KnownRun()
        var pull = Pull(.standard)
        for _ in 0..<50 {
            let phase = [Pull.Phase.waiting, .loading, .closing][Int.random(in: 0..<3, using: &random)]
            let run = Int.random(in: 0...3, using: &random)
            let events = known.hear(phase, run: run == 0 ? nil : "r\(run)")
            for event in events { _ = pull.handle(event) }
            #expect(pull.phase == phase, "seed \(seed): \(phase) of r\(run) was fed as \(events)")
        }
        #expect(pull.ignored == 0, "seed \(seed)")
    }

    @Test(arguments: UInt64(1)...200)
    func leavingStatesOutBeginsEveryRunThatIsHeardOf(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var known = KnownRun()
        var begun = 0
        _ = known.hear(.waiting, run: nil)
        for run in 1...50 {
            for phase in [Pull.Phase.loading, .closing, .waiting] where Bool.random(using: &random) || phase == .waiting
            {
                begun += known.hear(phase, run: "r\(run)").filter { $0 == .begin }.count
            }
            #expect(begun == run, "seed \(seed)")
        }
    }

    @Test func aStateThatIsHeardTwiceFeedsNothing() {
        var known = KnownRun()
        for phase in [Pull.Phase.loading, .closing, .waiting] {
            #expect(!known.hear(phase, run: "r1").isEmpty)
            #expect(known.hear(phase, run: "r1").isEmpty)
        }
    }
}
