/// Pings every socket of a loop once a period, and ends those whose pong does not come: close code 4102.
///
/// A wheel: sockets sit in as many buckets as there are ticks in a period, at random, so that pings are spread; each tick
/// pings one bucket, and looks after the one that was pinged a time-out ago.
/// ```
///   tick ──▶ ping bucket 7      bucket 7 − time-out: who has not answered?
///   [ … │ 5 │ 6 │ 7 │ 8 │ … ]
/// ```
final class Heartbeat: @unchecked Sendable {
    /// Where a socket sits, and whether it owes a pong.
    struct Place {
        var bucket = 0
        var index = -1
        var owesPong = false
    }

    private let loop: ServiceLoop
    private let tick: Duration
    private let timeoutTicks: Int
    private var buckets: [[WebSocket]]
    private var hand = 0
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - period: between two pings of a socket.
    ///   - timeout: for the pong; shorter than the period.
    init(loop: ServiceLoop, period: Duration, timeout: Duration) {
        precondition(timeout < period, "The pong's time-out must be shorter than the heartbeat.")
        self.loop = loop
        let ticks = max(8, Int(min(period.milliseconds / 1000, 256)))
        tick = period / ticks
        timeoutTicks = max(
            1, Int((timeout.milliseconds * UInt64(ticks) + period.milliseconds - 1) / period.milliseconds))
        buckets = Array(repeating: [], count: ticks)
    }

    func start() {
        timer = loop.schedule(after: tick) { [weak self] in self?.turn() }
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    func add(_ socket: WebSocket) {
        let bucket = Int.random(in: 0..<buckets.count)
        socket.beat = Place(bucket: bucket, index: buckets[bucket].count)
        buckets[bucket].append(socket)
    }

    func remove(_ socket: WebSocket) {
        let place = socket.beat
        guard place.index >= 0 else { return }
        socket.beat = Place()
        guard let last = buckets[place.bucket].popLast(), last !== socket else { return }
        buckets[place.bucket][place.index] = last
        last.beat.index = place.index
    }

    private func turn() {
        hand = (hand + 1) % buckets.count
        let late = buckets[(hand + buckets.count - timeoutTicks) % buckets.count]
        for socket in late where socket.beat.owesPong { expire(socket) }
        for socket in buckets[hand] { ping(socket) }
        start()
    }

    private func ping(_ socket: WebSocket) {
        // One that is not writable is watched for stalling; one that is paused can't be heard.
        guard socket.isWritable, !socket.isPaused else { return }
        socket.beat.owesPong = true
        socket.send(.ping)
    }

    private func expire(_ socket: WebSocket) {
        socket.beat.owesPong = false
        guard !socket.isPaused else { return }
        socket.close(4102, "no pong")
    }
}
