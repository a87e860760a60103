/// Holds a loop's figures where everything on that loop can count. On the loop's thread alone.
final class LoopCounter: @unchecked Sendable {
    var statistics = LoopStatistics()
}
