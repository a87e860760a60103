import WebSockets

/// How far a run is, as it is sent to all who watch.
struct ProgressFrame: Sendable {
    var serial: Int
    var run: RunID
    var progress: RunProgress
    var frame: SharedFrame
}
