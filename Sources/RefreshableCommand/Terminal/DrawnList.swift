import KeyedLists
import ListProtocol

/// A watched list on a screen, between what comes from the server, from the keys and from the clock. Pure.
struct DrawnList {
    /// How long a changed row stays marked. Milliseconds.
    private static let marked: Int64 = 3000

    private var replica: Replica
    private var rows: [(key: Key, fields: Fields)] = []
    private var notice: String?
    private var marks: [Key: (kind: RowChange.Kind, until: Int64)] = [:]
    private var top = 0
    private var hasRows = false

    init(_ list: String) {
        replica = Replica(list)
    }

    /// Whether something on the screen moves by itself.
    func isMoving(now: Int64) -> Bool { replica.state?.phase == .loading || marks.contains { $1.until > now } }

    mutating func receive(_ news: WatchedList.News, _ replica: Replica, now: Int64) {
        self.replica = replica
        switch news {
        case .told(.rows(let changes)): change(changes, now: now)
        case .told(.watching), .told(.state): notice = nil
        case .told(.refused(_, let message)), .told(.denied(_, let message)): notice = message
        case .told(.answered(.noRun(let reason, let message))):
            notice = message ?? (reason == .tooSoon ? "Already up to date." : "The refresh was refused.")
        case .told(.answered), .told(.progress): break
        case .lost(let reason, let wait):
            notice = "Lost the server (\(reason)). Trying again in \(wait.seconds) s."
        }
    }

    /// The first rows are no news, nor are those of the first load.
    private mutating func change(_ changes: [RowChange], now: Int64) {
        rows = replica.rows.rows.map { ($0.key, $0.fields) }
        marks = marks.filter { $1.until > now }
        if hasRows, replica.state?.cause != .initial {
            for change in changes { marks[change.key] = (change.kind, now + Self.marked) }
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
        replica.section.map { SectionHeading(sections: $0, now: now) }
    }

    private func lastTop(room: Int, now: Int64) -> Int {
        max(0, rows.count - (heading(now: now)?.lastCount(rows[...], room: room) ?? room))
    }

    /// - Parameter now: milliseconds since 1970.
    func content(now: Int64, room: Int) -> Screen.Content {
        Screen.Content(
            title: replica.title, rows: rows, section: replica.section, state: replica.state,
            progress: replica.progress, isRefreshable: replica.isRefreshable, notice: notice,
            marks: marks.filter { $1.until > now }.mapValues(\.kind), top: min(top, lastTop(room: room, now: now)),
            tick: Int(now / 100), now: now)
    }
}
