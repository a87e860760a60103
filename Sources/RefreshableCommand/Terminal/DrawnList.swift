import KeyedLists
import ListProtocol
import RefreshableListsClient

/// A watched list on a screen, between what comes from the server, from the keys and from the clock. Pure.
struct DrawnList {
    /// How long a changed row stays marked, and the outcome of a run shown. Milliseconds.
    private static let news: Int64 = 3000

    private var description: ListDescription?
    private var state: ListState?
    private var progress: WatchedList.Progress?
    private let name: String
    private var rows: [(key: Key, fields: Fields)] = []
    private var notice: String?
    private var marks: [Key: (kind: WatchedList.RowChange.Kind, until: Int64)] = [:]
    private var outcomeUntil: Int64 = 0
    private var top = 0
    private var hasRows = false

    init(_ list: String) {
        name = list
    }

    /// Whether something on the screen moves by itself.
    func isMoving(now: Int64) -> Bool {
        state?.phase == .loading || outcomeUntil > now || marks.contains { $1.until > now }
    }

    mutating func receive(_ update: WatchedList.Update, now: Int64) {
        switch update {
        case .rows(let change): receive(change, now: now)
        case .settings(let description):
            self.description = description
            notice = nil
        case .state(let state):
            if state.run != self.state?.run { progress = nil }
            if hasEnded(state) { outcomeUntil = now + Self.news }
            self.state = state
            notice = nil
        case .progress(let progress): self.progress = progress
        case .refused(_, let message): notice = message
        case .connection(.offline(let loss)): notice = loss.text
        case .connection, .unread: break
        }
    }

    /// What became of a refresh that was asked for.
    mutating func receive(_ answer: WatchedList.Answer<LastRun>) {
        switch answer {
        case .noRun(let reason, let message):
            notice = message ?? (reason == .tooSoon ? "Already up to date." : "The refresh was refused.")
        case .failed(let error): notice = "\(error)"
        case .ended, .withdrawn: break
        }
    }

    /// Whether a run has ended between the state before and this one.
    private func hasEnded(_ state: ListState) -> Bool {
        state.phase == .closing || self.state.map { $0.last?.run != state.last?.run } ?? false
    }

    /// The first rows are no news, nor are those of the first load.
    private mutating func receive(_ change: WatchedList.Change, now: Int64) {
        rows = change.rows.map { ($0.key, $0.fields) }
        marks = marks.filter { $1.until > now }
        if hasRows, state?.cause != .initial {
            for change in change.changes { marks[change.key] = (change.kind, now + Self.news) }
        }
        hasRows = true
    }

    mutating func scroll(_ press: KeyPress, room: Int, now: Int64) {
        let heading = heading(now: now)
        let last = lastTop(room: room, now: now)
        let place =
            switch press {
            case .up: top - 1
            case .down: top + 1
            case .pageUp: heading.map { top - $0.lastCount(rows[..<top], room: room) } ?? top - room
            case .pageDown: top + (heading?.fitting(rows[top...], room: room).count ?? room)
            case .top: 0
            case .bottom: last
            case .refresh, .stop, .quit: top
            }
        top = min(max(0, place), last)
    }

    private func heading(now: Int64) -> SectionHeading? {
        (description?.section).map { SectionHeading(sections: $0, now: now) }
    }

    private func lastTop(room: Int, now: Int64) -> Int {
        max(0, rows.count - (heading(now: now)?.lastCount(rows[...], room: room) ?? room))
    }

    /// - Parameter now: milliseconds since 1970.
    func content(now: Int64, room: Int) -> Screen.Content {
        Screen.Content(
            title: description?.title ?? name, rows: rows, section: description?.section, state: state,
            progress: progress, isRefreshable: description?.refreshable ?? false, notice: notice,
            showsOutcome: outcomeUntil > now, marks: marks.filter { $1.until > now }.mapValues(\.kind),
            top: min(top, lastTop(room: room, now: now)), tick: Int(now / 100), now: now)
    }
}
