import WebSockets

/// The frames that lead from a place to a list's newest, each with the place that it leads to.
///
/// Found once for all who are at the same place, so that a broadcast decides nothing for a single watcher.
struct CatchUp: Sendable {
    struct Step: Sendable {
        var frame: SharedFrame
        var place: WatchPosition
    }

    let start: WatchPosition
    var steps: [Step] = []
    /// Whether it ends at the newest. Otherwise rows follow that come in parts, or that the list has to be asked for.
    var isWhole = true
}
