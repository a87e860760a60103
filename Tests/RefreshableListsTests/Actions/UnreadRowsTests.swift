import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// What people have not seen.
final class UnreadRowsTests {
    private var unread = UnreadRows()

    @Test func toWhoeverComesFirstNothingIsUnreadAndThenWhatCame() {
        let isNew = unread.meet("ada")
        #expect(isNew)
        #expect(unread.keys["ada"] == [])
        #expect(unread.change(inserted: ["a", "b"], removed: []) == ["ada"])
        #expect(unread.keys["ada"] == ["a", "b"])
        let isNewAgain = unread.meet("ada")
        #expect(!isNewAgain)
    }

    @Test func whatWasRemovedIsNotUnreadAndWhatDidNotChangeIsNotTold() {
        _ = unread.meet("ada")
        _ = unread.change(inserted: ["a", "b"], removed: [])
        #expect(unread.change(inserted: [], removed: ["a", "z"]) == ["ada"])
        #expect(unread.keys["ada"] == ["b"])
        #expect(unread.change(inserted: [], removed: ["z"]) == [])
    }

    @Test func ofMoreThanAreKeptTheNewestAre() {
        _ = unread.meet("ada")
        _ = unread.change(inserted: (0..<250).map { Key("\($0)") }, removed: [])
        #expect(unread.keys["ada"]?.count == 200)
        #expect(unread.keys["ada"]?.first == "50")
    }

    @Test func aPersonSeesARowAndTakesThatBackAndSeesAll() {
        _ = unread.meet("ada")
        _ = unread.meet("bob")
        _ = unread.change(inserted: ["a", "b"], removed: [])
        #expect(mark(isSeen: true, ["a"]))
        #expect(!mark(isSeen: true, ["a"]))
        #expect(unread.keys == ["ada": ["b"], "bob": ["a", "b"]])
        #expect(mark(isSeen: false, ["a"]))
        #expect(mark(isSeen: true, nil))
        #expect(unread.keys["ada"] == [])
    }

    private func rows(_ keys: Key...) -> KeyedList {
        var rows = KeyedList()
        _ = rows.commit(keys.map { .set(ListRow($0, title: "\($0)"), .last) }, at: 0)
        return rows
    }

    private func mark(isSeen: Bool, _ rows: [Key]?) -> Bool { unread.mark(isSeen: isSeen, rows, by: "ada") }

    @Test func whatIsKeptIsReadAgainWithoutRowsThatAreGone() {
        _ = unread.meet("ada")
        _ = unread.change(inserted: ["a", "\"é\"", "gone"], removed: [])
        var other = UnreadRows()
        let changed = other.restore([unread.stored(for: "ada")], of: rows("a", "\"é\""), upTo: 1)
        #expect(other.keys == ["ada": ["a", "\"é\""]] && changed == [])
    }

    @Test func whatCameAfterTheLastThatWasKeptIsUnread() {
        var rows = rows("a")
        let noted = rows.revision
        _ = rows.commit([.set(ListRow("b", title: "b"), .last)], at: 0)
        _ = unread.meet("ada")
        var other = UnreadRows()
        let stored = [unread.stored(for: "ada"), UnreadRows.stored(upTo: noted)]
        #expect(other.restore(stored, of: rows, upTo: rows.revision) == ["ada"])
        #expect(other.keys == ["ada": ["b"]])
        let again = other.restore(stored, of: rows, upTo: rows.revision)
        #expect(again == [])
    }

    @Test func whatAnotherServerSaysOfPeopleCounts() {
        _ = unread.meet("ada")
        var other = UnreadRows()
        _ = other.meet("ada")
        _ = other.change(inserted: ["a"], removed: [])
        #expect(unread.take([other.stored(for: "ada"), UnreadRows.stored(upTo: 3)]) == ["ada"])
        #expect(unread.keys == ["ada": ["a"]])
        #expect(unread.take([other.stored(for: "ada")]) == [])
    }
}

/// Lists that tell people what they have not seen.
@Suite(.timeLimit(.minutes(1)))
struct UnreadListTests {
    private func list() -> RefreshableList {
        RefreshableList("mail").rows([ListRow("a", title: "A")]).tracksUnread().refreshable {
            [ListRow("b", title: "B"), ListRow("a", title: "A")]
        }
    }

    @Test func whoWatchesIsToldWhatCameAndOthersAreNot() async {
        let stage = Stage(list())
        let ada = await Watcher("ada", of: stage)
        let bob = await Watcher("bob", of: stage)
        #expect(ada.unread == [])

        await stage.refresh()
        await stage.list.settle()

        #expect(ada.unread == ["b"])
        await ada.mark(isSeen: true, "b", in: stage)
        #expect(ada.unread == [])
        #expect(bob.unread == ["b"])
    }

    @Test func anotherProcessKnowsWhatWasNotSeen() async {
        let store = MemoryStore()
        let stage = Stage(list(), store: store)
        _ = await Watcher("ada", of: stage)
        await stage.refresh()
        await stage.list.settle()

        let later = Stage(list(), store: store)
        #expect(await Watcher("ada", of: later).unread == ["b"])
        // To somebody new, nothing is.
        #expect(await Watcher("eve", of: later).unread == [])
    }

    @Test func whatAListLoadsFirstIsNotNews() async {
        let stage = Stage(RefreshableList("mail").tracksUnread().refreshable { ["x", "y"] })
        let ada = await Watcher("ada", of: stage)
        await stage.list.settle()
        while await stage.list.phase == .loading { await Task.yield() }
        #expect(ada.unread == [])
    }

    @Test func afterAFirstLoadThatFailedTheNextOneIsTheFirst() async {
        struct Unplugged: Error {}
        let isPlugged = Locked(false)
        let list = RefreshableList("mail").tracksUnread().refreshable {
            guard isPlugged.withLock(\.self) else { throw Unplugged() }
            return ["x", "y"]
        }
        let stage = Stage(list)
        let ada = await Watcher("ada", of: stage)
        await stage.list.settle()
        while await stage.list.phase == .loading { await Task.yield() }
        isPlugged.withLock { $0 = true }
        await stage.refresh()
        await stage.list.settle()
        #expect(ada.unread == [])
    }
}

/// Somebody who watches, and the last that they were told of unread rows.
private final class Watcher: Sendable {
    private let feed = LoopFeed { _ in }
    private let person: String
    private let last = Locked<[String]?>(nil)

    init(_ person: String, of stage: Stage) async {
        self.person = person
        await stage.list.attach(
            WatchID(socket: 7, serial: 1), messageID: "1", resume: nil, of: person, to: feed)
    }

    func mark(isSeen: Bool, _ row: Key?, in stage: Stage) async {
        await stage.list.mark(
            isSeen: isSeen, row, by: person, messageID: nil, to: ActionListener(socket: 7, feed: feed))
    }

    var unread: [String]? {
        for case .unread(_, let frame) in feed.take().deliveries {
            let payload = Array(frame.bytes.suffix(frame.payloadLength))
            if case .unread(_, let keys)? = try? ServerMessage(decoding: payload) { last.withLock { $0 = keys } }
        }
        return last.withLock(\.self)
    }
}
