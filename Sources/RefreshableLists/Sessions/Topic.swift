import KeyedLists
import WebSockets

/// One list on one loop, or one window of it: the newest that its feed brought, and the subscriptions of this loop's watches.
///
/// On its loop alone.
final class Topic {
    let list: LiveList
    let feed: LoopFeed
    private let loop: ServiceLoop
    private var feedState: FeedState
    /// Of the whole list: the topics of its windows, by their feeds.
    private var windows: [ObjectIdentifier: Topic] = [:]
    private var subscriptions: [Subscription] = []
    /// The next subscription to be served of those that have not seen the newest.
    private var cursor = 0
    /// The frames for recent places, until there is news.
    private var catchUps: [CatchUp] = []
    /// The state that gestures were last told.
    private var toldSerial = 0
    /// Bases for which the list was asked for a fold that has not come yet.
    private var awaitedFolds: Set<Revision> = []
    /// Since when there is something that not everybody was offered yet.
    private(set) var newsSince: ContinuousClock.Instant?

    /// Watchers are at few places at a time.
    private static let mostWays = 4
    /// Subscriptions served, and bytes sent, before another list has its turn and somebody looks at the clock: about 100 µs.
    private static let helping = (subscriptions: 16, bytes: 128 * 1024)

    init(list: LiveList, loop: ServiceLoop, wake: @escaping @Sendable (LoopFeed) -> Void) {
        self.list = list
        self.loop = loop
        feed = LoopFeed(wake: wake)
        feedState = feed.beginning
    }

    private init(window feed: LoopFeed, of main: Topic) {
        list = main.list
        loop = main.loop
        self.feed = feed
        feedState = feed.beginning
    }

    /// The topic of a feed of this list, made for one of a window that is new; nil where it is of an earlier list.
    func topic(of feed: LoopFeed) -> Topic? {
        if feed === self.feed { return self }
        guard feed.main === self.feed else { return nil }
        if let known = windows[ObjectIdentifier(feed)] { return known }
        let topic = Topic(window: feed, of: self)
        if !feed.isOver { windows[ObjectIdentifier(feed)] = topic }
        return topic
    }

    /// A window is looked at by nobody any more.
    func forget(_ window: Topic) { windows[ObjectIdentifier(window.feed)] = nil }

    /// The windows that are looked at.
    var windowTopics: [Topic] { Array(windows.values) }

    var newestState: ListStateFrame? { feedState.states.newest }

    // MARK: Watches

    /// How many watch the list, or a window of it.
    var watchCount: Int { windows.values.reduce(subscriptions.count) { $0 + $1.subscriptions.count } }

    func add(_ watch: Watch) {
        watch.index = subscriptions.count
        subscriptions.append(
            Subscription(watch: watch, sendTarget: watch.session.socket.sendTarget, hasPulls: watch.session.hasPulls))
    }

    func remove(_ watch: Watch) {
        let index = watch.index
        watch.index = nil
        let last = subscriptions.removeLast()
        // An array gives no memory back by itself: a list may have had many, for a moment.
        if subscriptions.capacity > 64, subscriptions.count * 4 < subscriptions.capacity {
            subscriptions = Array(subscriptions.lazy.map(\.self))
        }
        guard let index, last.watch !== watch else { return }
        subscriptions[index] = last
        last.watch.index = index
        serve(index)
    }

    /// The list is not there any more: all watches of it are over.
    func removeAll() -> [Watch] {
        defer { subscriptions = [] }
        for subscription in subscriptions { subscription.watch.index = nil }
        return subscriptions.map(\.watch)
    }

    /// Whether a watch is owed something of its own has changed.
    func noteOwn(of watch: Watch) {
        if let index = watch.index { subscriptions[index].isPlain = watch.isPlain }
    }

    /// The session of a watch has felt its first gesture.
    func notePulls(of watch: Watch) {
        if let index = watch.index { subscriptions[index].hasPulls = true }
    }

    // MARK: What the feed brings

    /// Takes over the newest. Deliveries are returned: they concern single sessions, and go before all else, for an
    /// answer comes before what it causes.
    func take() -> [Delivery] {
        let contents = feed.take()
        if contents.isNews, newsSince == nil { newsSince = .now }
        feedState.append(contents)
        catchUps = []
        cursor = 0
        return contents.deliveries
    }

    /// A watch begins, at the newest that the list had, or goes on after a look, having been told of the list what it was told.
    func attach(_ watch: Watch, _ start: WatchStart) {
        var place = watch.topic.place(of: watch)
        if watch.topic !== self {
            watch.topic.remove(watch)
            watch.topic = self
            add(watch)
        }
        guard let index = watch.index else { return }
        // What the list did before is history: only its newest state is for somebody who comes now.
        if start.look == nil || place == nil {
            place = WatchPosition(state: max(newestState?.serial ?? 1, start.state) - 1)
        }
        place?.revision = start.revision
        subscriptions[index].place = place ?? WatchPosition()
        cursor = min(cursor, index)
        watch.attach(start)
    }

    private func place(of watch: Watch) -> WatchPosition? { watch.index.map { subscriptions[$0].place } }

    /// The revision of a watch's rows, if it has them all.
    func revision(of watch: Watch) -> Revision? { watch.isBetweenRows ? place(of: watch)?.revision : nil }

    /// Everybody was offered what is new.
    ///
    /// - Returns: how long that took; nil where nothing was.
    func finishBroadcast() -> Duration? {
        defer { newsSince = nil }
        return newsSince?.duration(to: .now)
    }

    /// The list is another.
    func redescribed(_ frames: [WatchRights: SharedFrame]) {
        // By index, here and below: subscriptions change on the catchUp, and a copy of thousands would be made.
        for index in subscriptions.indices {
            let watch = subscriptions[index].watch
            watch.settings = frames[watch.rights]
        }
        cursor = 0
    }

    /// The list answered with a fold: all who wait at its base are sent it.
    ///
    /// - Returns: how many these are.
    func folded(_ base: Revision, _ batch: FrameBatch) -> Int {
        awaitedFolds.remove(base)
        var count = 0
        for index in subscriptions.indices where subscriptions[index].place.revision == base {
            let watch = subscriptions[index].watch
            guard watch.isBetweenRows else { continue }
            watch.begin(batch)
            count += 1
        }
        cursor = 0
        return count
    }

    /// Lets gestures go on from the list's newest state.
    func tellPulls() {
        guard let state = newestState, state.serial != toldSerial else { return }
        toldSerial = state.serial
        for index in subscriptions.indices where subscriptions[index].hasPulls {
            let watch = subscriptions[index].watch
            watch.session.listChanged(watch, now: state)
        }
    }
}

// MARK: Sending

extension Topic {
    /// Sends what they have not seen to the next few subscriptions: a slice.
    ///
    /// - Returns: whether all subscriptions were served.
    func serveHelping() -> Bool {
        let end = min(cursor + Self.helping.subscriptions, subscriptions.count)
        var sent = 0
        while cursor < end, sent < Self.helping.bytes {
            sent += sendFrame(until: end, most: Self.helping.bytes - sent)
            guard cursor < end, sent < Self.helping.bytes else { break }
            sent += serve(cursor)
            cursor += 1
        }
        return cursor >= subscriptions.count
    }

    /// Sends the frame that the next subscription is at, and to all behind it that are at the same place and want nothing else: as
    /// it mostly is. What is neither in the subscriptions nor in the frame is not touched.
    ///
    /// - Returns: the bytes that were sent.
    private func sendFrame(until end: Int, most: Int) -> Int {
        let catchUp = catchUp(from: subscriptions[cursor].place)
        guard catchUp.isWhole, catchUp.steps.count == 1, let step = catchUp.steps.first else { return 0 }
        let end = min(end, cursor + 1 + most / max(1, step.frame.payloadLength))
        var broadcast = Broadcast(step.frame, on: loop)
        var next = cursor
        // One access to the subscriptions for all of them: each costs as much as what is done in it.
        subscriptions.withUnsafeMutableBufferPointer { subscriptions in
            while next < end, subscriptions[next].isPlain, subscriptions[next].place == catchUp.start,
                let sendTarget = subscriptions[next].sendTarget,
                broadcast.send(to: sendTarget)
            {
                subscriptions[next].place = step.place
                next += 1
            }
        }
        cursor = next
        return broadcast.end()
    }

    /// What a watch is sent after all that is its own.
    func nextFrame(of watch: Watch) -> SharedFrame? {
        guard let index = watch.index else { return nil }
        switch feedState.step(from: subscriptions[index].place) {
        case .frame(let frame, let place):
            subscriptions[index].place = place
            return frame
        case .batch(let batch):
            watch.begin(batch)
            return watch.nextFrame()
        case .fold(let base):
            askForFold(since: base)
            return nil
        case .nothing: return nil
        }
    }

    /// The rows that a watch was being sent are with it.
    func arrived(_ watch: Watch, at revision: Revision) {
        if let index = watch.index { subscriptions[index].place.revision = revision }
    }

    /// - Returns: the bytes that were sent.
    @discardableResult private func serve(_ index: Int) -> Int {
        let watch = subscriptions[index].watch
        guard subscriptions[index].isPlain else { return watch.session.serve(watch) }
        let catchUp = catchUp(from: subscriptions[index].place)
        let socket = watch.session.socket
        var sent = 0
        for step in catchUp.steps {
            // Answers wait only for sockets that are not writable, so none is overtaken.
            guard socket.isWritable else { return sent }
            sent += socket.sendNow(step.frame)
            subscriptions[index].place = step.place
        }
        return catchUp.isWhole ? sent : sent + watch.session.serve(watch)
    }

    private func catchUp(from place: WatchPosition) -> CatchUp {
        if let known = catchUps.first(where: { $0.start == place }) { return known }
        if catchUps.count == Self.mostWays { catchUps.removeFirst() }
        let catchUp = feedState.catchUp(from: place)
        catchUps.append(catchUp)
        return catchUp
    }

    private func askForFold(since base: Revision) {
        guard awaitedFolds.insert(base).inserted else { return }
        list.post { [feed] list in list.fold(since: base, for: feed) }
    }
}

/// A watch's entry in a topic: all that a broadcast needs to know of it.
///
/// Subscriptions lie next to each other, in the order in which they are served, so that a broadcast reads memory in order.
struct Subscription {
    let watch: Watch
    /// Its socket's; nil where frames go another catchUp.
    let sendTarget: WebSocket.SendTarget?
    /// What it was sent last.
    var place = WatchPosition()
    /// Whether what it is sent next follows from its place alone: it is attached, and nothing waits that is its own.
    var isPlain = false
    /// Whether its session has felt a gesture.
    var hasPulls: Bool
}

/// Which list's broadcast goes on next on a loop, and when it has to let the loop's other work in. Pure.
///
/// ```
///   slice: at most 2 ms                        others     slice
///   A ▓▓ B ▓▓ C ▓▓ A ▓▓ B ▓▓ C ▓▓ A ▓▓  ──▶  pulls, …  ──▶  B ▓▓ C ▓▓ …
///     └ a slice: a few watchers
/// ```
/// Lists take turns by helpings, so that one with few watchers does not wait for one with thousands.
struct SliceScheduler<List: AnyObject> {
    /// How long a slice may last, in milliseconds of uptime: counted from the beginning of the millisecond in which it
    /// began, so that it is over by less than one slice, if at all.
    static var length: Int64 { 2 }

    /// Those that have something to send, in the order of their turns.
    private var waiting: [List] = []
    private var turn = 0
    private var end: Int64?

    /// Whether nobody has anything to send.
    var isEmpty: Bool { waiting.isEmpty }

    /// A list has something to send. It comes last; one that waits already keeps its turn.
    mutating func add(_ list: List) {
        guard !waiting.contains(where: { $0 === list }) else { return }
        waiting.insert(list, at: turn)
        turn = (turn + 1) % waiting.count
    }

    /// A list has nothing more to send, or is gone.
    mutating func remove(_ list: List) {
        guard let index = waiting.firstIndex(where: { $0 === list }) else { return }
        waiting.remove(at: index)
        if index < turn { turn -= 1 }
        if turn >= waiting.count { turn = 0 }
    }

    /// The list whose turn it is; nil where none waits, or the slice is over. The first call after that begins a slice.
    mutating func next(at now: Int64) -> List? {
        let end = end ?? now + Self.length
        guard now < end, !waiting.isEmpty else {
            self.end = nil
            return nil
        }
        self.end = end
        let list = waiting[turn]
        turn = (turn + 1) % waiting.count
        return list
    }
}
