import Testing

@testable import RefreshableLists

/// A round is over when all whom it asked have answered it.
struct MetricsCollectionTests {
    @Test func anAnswerThatComesTooLateForItsRoundIsNoneToTheNext() {
        var gathering = MetricsCollection(number: 2, missing: 2)
        let heard = [2, 1, 1, 2].map { gathering.heard($0) }
        #expect(heard == [false, false, false, true])
    }
}
