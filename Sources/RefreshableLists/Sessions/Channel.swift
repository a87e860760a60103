import KeyedLists
import WebSockets

/// A list as one loop sees it: the newest that its relay brought, and the watches of it on this loop.
///
/// On its loop alone.
final class Channel {
    let list: LiveList
    let relay: Relay
    private(set) var ring = FrameRing()
    private(set) var states = ListStates()
    private(set) var progress: ProgressFrame?
    private var watches: [Watch] = []
    /// The state that gestures were last told.
    private var toldSerial = 0
    /// Bases for which the list was asked for a fold that has not come yet.
    private var awaitedFolds: Set<Revision> = []
    /// Has `serveSlice` called again, after others had their turn.
    var wakeAgain: () -> Void = {}
    /// Whether `wakeAgain` was called and its turn has not come yet.
    var isAwaitingTurn = false
    /// The next watch to be served of those that have not seen the newest.
    private var cursor = 0
    /// Since when there is something that not everybody was offered yet.
    private(set) var newsSince: ContinuousClock.Instant?

    /// How long a broadcast may hold the loop before it lets others in, in milliseconds. A pull is answered in between.
    private static let slice: Int64 = 2

    init(list: LiveList, wake: @escaping @Sendable (Relay) -> Void) {
        self.list = list
        relay = Relay(wake: wake)
    }

    // MARK: Watches

    /// How many watch.
    var watchCount: Int { watches.count }

    func add(_ watch: Watch) {
        watch.index = watches.count
        watches.append(watch)
    }

    func remove(_ watch: Watch) {
        let last = watches.removeLast()
        guard last !== watch else { return }
        watches[watch.index] = last
        last.index = watch.index
        last.session.serve(last)
    }

    /// The list is another.
    func redescribed(_ frame: SharedFrame, toReaders: SharedFrame) {
        for watch in watches { watch.settings = watch.mayRefresh ? frame : toReaders }
        cursor = 0
    }

    /// The list is not there any more: all watches of it are over.
    func removeAll() -> [Watch] {
        defer { watches = [] }
        return watches
    }

    // MARK: What the relay brings

    /// Takes over the newest. Deliveries are returned: they concern single sessions, and go before all else, for an
    /// answer comes before what it causes.
    func take() -> [Delivery] {
        let contents = relay.take()
        if contents.isNews, newsSince == nil { newsSince = .now }
        ring.append(contents.ring)
        states.append(contents.states)
        if let progress = contents.progress { self.progress = progress }
        cursor = 0
        return contents.deliveries
    }

    /// Sends to as many watches as a slice of time allows.
    ///
    /// - Returns: whether some are left, to be served after others had their turn.
    func serveSlice(clock: some ListClock) -> Bool {
        let end = clock.now.uptime + Self.slice
        while cursor < watches.count {
            let watch = watches[cursor]
            cursor += 1
            watch.session.serve(watch)
            if cursor % 32 == 0, clock.now.uptime >= end { return cursor < watches.count }
        }
        return false
    }

    /// Everybody was offered what is new.
    ///
    /// - Returns: how long that took; nil where nothing was.
    func finishBroadcast() -> Duration? {
        defer { newsSince = nil }
        return newsSince?.duration(to: .now)
    }

    /// The patch since a revision: from the ring, or, later, from the list.
    func batch(from base: Revision) -> FrameBatch? {
        if let batch = ring.batch(from: base) { return batch }
        if awaitedFolds.insert(base).inserted {
            list.post { [relay] list in list.fold(since: base, for: relay) }
        }
        return nil
    }

    /// The list answered with a fold: all who wait at its base are sent it.
    ///
    /// - Returns: how many these are.
    func folded(_ base: Revision, _ batch: FrameBatch) -> Int {
        awaitedFolds.remove(base)
        var count = 0
        for watch in watches where watch.isWaiting(at: base) {
            watch.begin(batch)
            count += 1
        }
        return count
    }

    /// Lets gestures go on from the list's newest state.
    func tellPulls() {
        guard let state = states.newest, state.serial != toldSerial else { return }
        toldSerial = state.serial
        for watch in watches where watch.session.hasPulls { watch.session.listChanged(watch, now: state) }
    }
}
