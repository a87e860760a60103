import KeyedLists
import Testing

/// A list that lives through random commits, beside its model, a store, and a page left behind at every revision.
struct RandomHistory {
    private(set) var list: KeyedList
    private var model: ModelList
    private var store: ModelStore
    private var pages: [Revision: KeyedList] = [:]
    /// Who serves the list, too, and goes on with its history now and then.
    private var other: KeyedList
    /// What pages have that look at a part.
    private var looks: [(view: WindowView, page: KeyedList)] = []
    /// What somebody looks for, found at once or step by step, and what a page has of a part of it.
    private var derived: [(rows: DerivedList<SmallOnes>, isSorted: Bool, view: WindowView, page: KeyedList)] = []
    private var search = (rows: DerivedList(SmallOnes(areSorted: true)), isSorted: true)
    private var random: SeededGenerator
    private var now: Int64 = 0
    private let keys: [Key]

    /// Keys that are few, so that rows come again; two of them are equal as Swift's strings.
    init(seed: UInt64, keys count: Int, beginning list: KeyedList = KeyedList()) {
        self.list = list
        model = ModelList(rows: list.rows.map(\.row))
        store = ModelStore(list)
        other = list
        random = SeededGenerator(seed: seed)
        keys = ["\u{E9}", "e\u{301}"] + (2..<count).map { Key("k\($0)") }
        leavePage()
    }

    mutating func step() throws {
        now += 1
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<18: try edit()
        case 18..<26: try replace()
        case 26..<30: try replaceSparing()
        case 30..<39: try stream()
        default: list.prune(keeping: .random(in: 0..<20, using: &random), newerThan: now - 40)
        }
        list.audit()
        #expect(list.rows.map(\.row) == model.rows)
        leavePage()
        if looks.isEmpty || random.oneIn(4) { try look() }
        try catchUp(pages: 2)
        if random.oneIn(4) { try takeElsewhere() }
    }

    /// Whoever takes in what is newer has the history, too.
    private mutating func takeElsewhere() throws {
        guard let changes = list.changes(since: other.revision) else {
            other = list
            return
        }
        try other.take(changes)
        other.audit()
        #expect(Array(other.rows) == Array(list.rows))
        #expect(other.revision == list.revision)
        // Who prunes by itself makes no revision, and others hear of it with the next.
        for base in max(list.floor, other.floor)...other.revision {
            let (mine, theirs) = (list.patch(since: base), other.patch(since: base))
            #expect(mine?.set == theirs?.set)
            #expect(mine.map { Set($0.remove) } == theirs.map { Set($0.remove) })
        }
    }

    /// Brings pages up to date: by the patch since what they have, twice, and by one since something older.
    mutating func catchUp(pages count: Int) throws {
        for base in pages.keys.filter({ $0 < list.floor }) {
            #expect(list.patch(since: base) == nil)
            pages[base] = nil
        }
        for (base, page) in pages.shuffled(using: &random).prefix(count) {
            let older = pages.keys.filter { $0 <= base }.randomElement(using: &random) ?? base
            for since in [base, older] {
                let patch = try #require(list.patch(since: since))
                var page = page
                try page.apply(patch)
                page.audit()
                expectSameRows(page)
                page = try KeyedList(snapshot: snapshot(of: page), revision: min(max(base, 1), list.revision))
                try page.apply(patch)
                expectSameRows(page)
            }
        }
    }

    private mutating func edit() throws {
        let edits = (0..<Int.random(in: 1...6, using: &random)).map { _ in randomEdit() }
        let before = list
        edits.forEach { model.apply($0) }
        try check(list.commit(edits, at: now), after: before)
    }

    private mutating func randomEdit() -> Edit {
        if random.oneIn(4) { return .remove(key()) }
        let places: [Place] = [.kept, .first, .last, .before(key()), .after(key()), .after("k3")]
        let place = places.randomElement(using: &random) ?? .kept
        return random.oneIn(3) ? .move(key(), place) : .set(row(key()), place)
    }

    private mutating func replace() throws {
        let before = list
        model.rows = finishedRun()
        let commit = try list.replace(with: model.rows, at: now)
        try check(commit, after: before)
        let staying = before.rows.filter { model.index(of: $0.key) != nil }
        let positions = model.rows.compactMap { before[$0.key]?.position }
        #expect(commit?.changes.moved ?? 0 == staying.count - longestIncreasing(positions))
    }

    private mutating func replaceSparing() throws {
        let before = list
        let run = finishedRun()
        let spared = Set((0..<3).map { _ in key() })
        try check(try list.replace(with: run, sparing: spared, at: now), after: before)
        for key in spared {
            #expect(list[key]?.row == before[key]?.row)
        }
        let others = list.rows.map(\.row).filter { !spared.contains($0.key) }
        #expect(others == run.filter { !spared.contains($0.key) })
        #expect(list.rows.map(\.key).filter(spared.contains) == before.rows.map(\.key).filter(spared.contains))
        model.rows = list.rows.map(\.row)
    }

    private mutating func stream() throws {
        let before = list
        let yielded = Array(finishedRun().prefix(.random(in: 0...8, using: &random)))
        let last = random.oneIn(3) ? nil : key()
        let spared: Set<Key> = random.oneIn(2) ? [] : [key(), key()]
        model.stream(yielded, after: last, sparing: spared)
        try check(list.stream(yielded, after: last, sparing: spared, at: now), after: before)
    }

    /// Rows as a source might give them: those there are, some changed, gone, new or elsewhere.
    private mutating func finishedRun() -> [ListRow] {
        var rows = model.rows
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let row = row(key())
            if let known = rows.firstIndex(where: { $0.key == row.key }) { rows.remove(at: known) }
            if !random.oneIn(3) { rows.insert(row, at: .random(in: 0...rows.count, using: &random)) }
        }
        if random.oneIn(10) { rows.shuffle(using: &random) }
        return rows
    }

    /// Checks that a commit says what happened, and that a store which follows commits has the list.
    private mutating func check(_ commit: Commit?, after before: KeyedList) throws {
        let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.key, $0) })
        let new = Dictionary(uniqueKeysWithValues: list.rows.map { ($0.key, $0) })
        guard let commit else {
            #expect(list.revision == before.revision)
            #expect(Array(list.rows) == Array(before.rows))
            return
        }
        let kept = new.values.filter { old[$0.key] != nil }
        #expect(list.revision == before.revision + 1)
        #expect(commit.patch == list.patch(since: before.revision))
        #expect(commit.rows.map(\.key) == list.rows.filter { $0.revision == list.revision }.map(\.key))
        #expect(commit.changes.inserted == new.keys.count { old[$0] == nil })
        #expect(commit.changes.removed == old.keys.count { new[$0] == nil })
        #expect(commit.changes.changed == kept.count { old[$0.key]?.fields != $0.fields })
        #expect(commit.changes.moved <= kept.count { old[$0.key]?.position != $0.position })
        try followLooks(commit)
        try followSearches(commit)
        store.keep(commit)
        let restored = try store.restore()
        #expect(Array(restored.rows) == Array(list.rows))
        #expect(restored.patch(since: restored.floor)?.set == list.patch(since: list.floor)?.set)
    }

    /// Somebody looks at a part, and perhaps somebody else no longer.
    private mutating func look() throws {
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        let window: Window =
            switch number(0...3) {
            case 0: .first(0, count: number(1...6))
            case 1: .last(number(1...6))
            case 2: .first(number(0...list.count), count: number(1...6))
            default: .around(key(), before: number(0...3), after: number(0...3))
            }
        guard let view = WindowView(window, of: list) else {
            guard case .around(let key, _, _, _) = window else {
                Issue.record("\(window) lies nowhere")
                return
            }
            #expect(list[key] == nil)
            return
        }
        let rows = snapshot(of: list.rows(in: view.range))
        looks.append((view, try KeyedList(snapshot: rows, revision: list.revision)))
        if looks.count > 6 { looks.remove(at: number(0...6)) }
    }

    /// Each has the rows of its window, and knows where that lies.
    private mutating func followLooks(_ commit: Commit) throws {
        let placed = PlacedCommit(commit)
        for index in looks.indices {
            let patch = looks[index].view.follow(placed, in: list)
            let keys = looks[index].page.rows.map(\.key)
            #expect(Set(patch.remove).isSubset(of: keys), "Nobody is told of rows that they do not have.")
            try looks[index].page.apply(patch)
            let (view, page) = looks[index]
            #expect(snapshot(of: page.rows) == snapshot(of: list.rows(in: view.range)))
            #expect(view.place.total == list.count && page.revision == list.revision && page.count == view.count)
            #expect(view.count > 0 || list.isEmpty, "Who looks sees rows where there are some.")
        }
    }

    /// Who looks for rows has all of them in order, and each window of theirs goes on as that of a list.
    private mutating func followSearches(_ commit: Commit) throws {
        let keys = commit.patch.set.map(\.key) + commit.patch.remove
        for index in derived.indices {
            let made = derived[index].rows.follow(keys, of: list, at: now)
            derived[index].rows.rows.audit()
            #expect(derived[index].rows.rows.rows.map(\.row) == wanted(isSorted: derived[index].isSorted))
            guard let made else { continue }
            let patch = derived[index].view.follow(PlacedCommit(made), in: derived[index].rows.rows)
            try derived[index].page.apply(patch)
            let (rows, _, view, page) = derived[index]
            #expect(snapshot(of: page.rows) == snapshot(of: rows.rows.rows(in: view.range)))
        }
        _ = search.rows.follow(keys, of: list, at: now)
        search.rows.scan(list, atMost: 2)
        search.rows.rows.audit()
        guard search.rows.isWhole else { return }
        let (found, isSorted) = search
        #expect(found.rows.rows.map(\.row) == wanted(isSorted: isSorted))
        let view = try #require(WindowView(.first(.random(in: 0...3, using: &random), count: 3), of: found.rows))
        let rows = snapshot(of: found.rows.rows(in: view.range))
        derived.append((found, isSorted, view, try KeyedList(snapshot: rows, revision: found.rows.revision)))
        if derived.count > 4 { derived.removeFirst() }
        search = (DerivedList(SmallOnes(areSorted: !isSorted)), !isSorted)
    }

    private func wanted(isSorted: Bool) -> [ListRow] {
        let small = list.rows.filter { $0.title < 2 }
        let sorted = small.sorted { ($0.title, $0.position) < ($1.title, $1.position) }
        return (isSorted ? sorted : small).map(\.row)
    }

    private mutating func leavePage() {
        if pages[list.revision] == nil { pages[list.revision] = page(of: list) }
    }

    private func page(of list: KeyedList) -> KeyedList? {
        do {
            return try KeyedList(snapshot: snapshot(of: list), revision: list.revision)
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func snapshot(of list: KeyedList) -> [Patch.Change] { snapshot(of: list.rows) }

    private func snapshot(of rows: some Sequence<PlacedRow>) -> [Patch.Change] {
        rows.map { Patch.Change(key: $0.key, position: $0.position, fields: $0.fields) }
    }

    private func expectSameRows(_ page: KeyedList) {
        #expect(page.revision == list.revision)
        #expect(snapshot(of: page) == snapshot(of: list))
    }

    private mutating func key() -> Key {
        keys.randomElement(using: &random) ?? ""
    }

    /// Those whose title is 0 or 1, by title or as they stand.
    private struct SmallOnes: RowArrangement {
        let areSorted: Bool

        func sortKey(of fields: Fields) -> [UInt8]? {
            fields.title < 2 ? areSorted ? [UInt8(fields.title)] : [] : nil
        }
    }

    private mutating func row(_ key: Key) -> ListRow {
        ListRow(key: key, fields: Fields(["title": .number(Double(Int.random(in: 0..<3, using: &random)))]))
    }
}

extension Fields {
    fileprivate var title: Int { if case .number(let number)? = self["title"] { Int(number) } else { 0 } }
}

extension PlacedRow {
    fileprivate var title: Int { fields.title }
}
