import KeyedLists
import ListProtocol
import RefreshableListsClient

/// A watched list on a screen, between what comes from the server, from the keys and from the clock. Pure.
///
/// Of a long list, only rows about those on the screen are here: `nextView` says what else to look at.
struct DrawnList {
    /// How many rows are looked at: several screens.
    static let rowsAtOnce = 300

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
    /// The first row on the screen, of all that the list has.
    private var top = 0
    private var hasRows = false
    /// Where the rows lie in the list; nil: they are all.
    private var place: WindowPlace?
    /// What is looked for, and whether it is being typed.
    private(set) var query = ""
    private(set) var isTyping = false
    /// What was last asked for, and whether its answer is yet to come.
    private var asked = ViewRequest(.first(0, count: rowsAtOnce))
    private var isLooking = false

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

    /// What was looked at is here, or can't be.
    mutating func looked(_ error: (any Error)?) {
        isLooking = false
        if let error { notice = "\(error)" }
    }

    /// Whether a run has ended between the state before and this one.
    private func hasEnded(_ state: ListState) -> Bool {
        state.phase == .closing || self.state.map { $0.last?.run != state.last?.run } ?? false
    }

    /// The first rows are no news, nor are those of the first load.
    private mutating func receive(_ change: WatchedList.Change, now: Int64) {
        // Somebody may have scrolled to rows that are yet to come.
        let (former, here) = (place, top - first)
        let seen = place != nil && rows.indices.contains(here) ? rows[here].key : nil
        rows = change.rows.map { ($0.key, $0.fields) }
        place = change.place
        marks = marks.filter { $1.until > now }
        // What comes into another part is not new.
        let isSame = former?.total != place?.total || former?.first == place?.first
        if hasRows, !isLooking, isSame, state?.cause != .initial {
            for change in change.changes { marks[change.key] = (change.kind, now + Self.news) }
        }
        hasRows = true
        // What is read stays where it is, whatever comes above.
        if top > 0, let seen, let index = rows.firstIndex(where: { $0.key == seen }) { top = first + index }
    }

    /// How many rows come before those that are here, and how many there are.
    private var first: Int { place?.first ?? 0 }
    private var total: Int { place?.total ?? rows.count }

    /// What to look at, if the rows that are here do not suffice for the screen and those beside it.
    mutating func nextView(room: Int) -> ViewRequest? {
        guard place != nil else { return nil }
        let size = min(1000, max(Self.rowsAtOnce, 6 * room))
        if asked.find != query {
            top = 0
            return ask(ViewRequest(.first(0, count: size), find: query))
        }
        let end = first + rows.count
        guard !isLooking, first > 0 && top - first < room || end < total && end - top < 2 * room else { return nil }
        let start = top - (size - room) / 2
        let window =
            start <= 0 ? Window.first(0, count: size) : start + size >= total ? .last(size) : .first(start, count: size)
        return ask(ViewRequest(window, find: query))
    }

    private mutating func ask(_ view: ViewRequest) -> ViewRequest {
        asked = view
        isLooking = true
        return view
    }

    /// What is looked for is typed from now on, or changed.
    mutating func find() { isTyping = place != nil }

    /// Takes what is typed while words are looked for; whole keys, of which some move the list.
    mutating func type(_ bytes: [UInt8], room: Int, now: Int64) {
        if bytes.first == 0x1B, bytes.count > 1 {
            for press in KeyPress.all(in: bytes) { scroll(press, room: room, now: now) }
            return
        }
        for letter in String(decoding: bytes, as: UTF8.self) {
            switch letter {
            case "\r", "\n", "\r\n": isTyping = false
            case "\u{1B}": (query, isTyping) = ("", false)
            case "\u{8}", "\u{7F}": if query.isEmpty { isTyping = false } else { query.removeLast() }
            case "\u{15}": query = ""
            case let letter where !letter.unicodeScalars.contains { $0.properties.generalCategory == .control }:
                if query.utf8.count + letter.utf8.count <= 200 { query.append(letter) }
            default: break
            }
        }
    }

    mutating func scroll(_ press: KeyPress, room: Int, now: Int64) {
        let heading = heading(now: now)
        let last = lastTop(room: room, now: now)
        let here = min(max(0, top - first), rows.count)
        let place =
            switch press {
            case .up: top - 1
            case .down: top + 1
            case .pageUp: heading.map { top - max(1, $0.lastCount(rows[..<here], room: room)) } ?? top - room
            case .pageDown: top + (heading?.fitting(rows[here...], room: room).count ?? room)
            case .top: 0
            case .bottom: last
            case .refresh, .stop, .quit, .find: top
            }
        top = min(max(0, place), last)
    }

    private func heading(now: Int64) -> SectionHeading? {
        (description?.section).map { SectionHeading(sections: $0, now: now) }
    }

    private func lastTop(room: Int, now: Int64) -> Int {
        // Of a part that is not the end, nobody knows its sections.
        let heading = first + rows.count == total ? heading(now: now) : nil
        return max(0, total - (heading?.lastCount(rows[...], room: room) ?? room))
    }

    /// - Parameter now: milliseconds since 1970.
    func content(now: Int64, room: Int) -> Screen.Content {
        Screen.Content(
            title: description?.title ?? name, rows: rows, section: description?.section, state: state,
            progress: progress, isRefreshable: description?.refreshable ?? false, notice: notice,
            showsOutcome: outcomeUntil > now, marks: marks.filter { $1.until > now }.mapValues(\.kind),
            first: first, total: place?.total, isSearching: place?.isSearching ?? false,
            top: min(top, lastTop(room: room, now: now)), query: query,
            isTyping: isTyping, tick: Int(now / 100), now: now)
    }
}
