import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// The rule itself, as a table.
@Suite struct HistoryTests {
    private static let file = FileStamp(inode: 7, seconds: 100, nanoseconds: 5)
    private static let closed = History.Opening(boot: "b1", inode: 7, isClosed: true)
    private static let sealed = History.Opening(boot: "b1", inode: 7, isClosed: true, token: 5)
    private static let lost = History.Opening(boot: "b1", inode: 7, isClosed: false, token: 5)
    private static let old = History.Opening(boot: "b1", inode: 7, isClosed: false, token: nil)
    private static let mark = OpeningRecord(token: 5, tally: 9, date: 0)
    private static let owing = OpeningRecord(token: 5, tally: 9, owed: 1, date: 0)
    private static let other = FileStamp(inode: 8, seconds: 100, nanoseconds: 5)
    private static let later = FileStamp(inode: 7, seconds: 100, nanoseconds: 6)

    @Test(arguments: [
        (History(opening: closed, seal: file, file: file, hasLog: false, boot: "b2"), true),
        (History(opening: closed, seal: nil, file: file, hasLog: false, boot: "b1"), false),
        (History(opening: closed, seal: file, file: file, hasLog: true, boot: "b1"), false),
        (History(opening: closed, seal: other, file: file, hasLog: false, boot: "b1"), false),
        (History(opening: closed, seal: later, file: file, hasLog: false, boot: "b1"), false),
        (History(opening: sealed, tally: 9, seal: file, file: file, hasLog: false, mark: mark, boot: "b1"), true),
        (History(opening: sealed, tally: 8, seal: file, file: file, hasLog: false, mark: mark, boot: "b1"), false),
        (History(opening: closed, tally: 8, seal: file, file: file, hasLog: false, mark: mark, boot: "b1"), true),
        (History(opening: lost, tally: 9, file: file, hasLog: true, mark: mark, boot: "b1"), true),
        (History(opening: lost, tally: 10, file: file, hasLog: true, mark: mark, boot: "b1"), true),
        (History(opening: lost, tally: 8, file: file, hasLog: true, mark: mark, boot: "b1"), false),
        // Ten may be the nine and a change of another list that was not marked any more.
        (History(opening: lost, tally: 10, file: file, hasLog: true, mark: owing, boot: "b1"), false),
        (History(opening: sealed, tally: 10, seal: file, file: file, hasLog: false, mark: owing, boot: "b1"), true),
        (History(opening: sealed, tally: 9, seal: file, file: file, hasLog: false, mark: owing, boot: "b1"), false),
        (History(opening: lost, tally: 9, file: file, hasLog: true, mark: nil, boot: "b1"), false),
        (History(opening: lost, tally: 9, file: file, hasLog: true, mark: mark, boot: "b2"), false),
        (History(opening: lost, tally: 9, file: file, hasLog: true, mark: mark, boot: nil), false),
        (History(opening: lost, tally: 9, file: other, hasLog: true, mark: mark, boot: "b1"), false),
        (History(opening: old, tally: 9, file: file, hasLog: true, mark: mark, boot: "b1"), false),
        (History(opening: nil, file: nil, hasLog: false, boot: "b1"), false),
    ])
    func historyIsVouchedForOnlyWhereNothingCanBeLost(history: History, isVouchedFor: Bool) {
        #expect(history.isVouchedFor == isVouchedFor)
        #expect((history.doubt == nil) == (isVouchedFor || history.opening == nil))
    }

    @Test func aStampIsReadAsItIsWritten() {
        #expect(FileStamp("\(Self.file)\n") == Self.file)
        #expect(FileStamp("7 100") == nil)
    }

    @Test(arguments: [UInt64.min, 5, .max])
    func aMarkIsReadAsItIsWritten(token: UInt64) {
        let mark = OpeningRecord(token: token, tally: 1 << 60, owed: 3, date: 1_790_000_000_000)
        #expect(OpeningRecord("\(mark)     ") == mark)
    }

    @Test func aMarkOfAnEarlierVersionOwesNothing() {
        #expect(OpeningRecord("5 9 100") == OpeningRecord(token: 5, tally: 9, owed: 0, date: 100))
    }

    @Test(arguments: ["", "5 9", "x 9 0 0", "5 9 0 0 0", "5 9 x 0", "g 9 0"])
    func anythingElseIsNoMark(text: String) {
        #expect(OpeningRecord(text) == nil)
    }

    @Test func aMarkIsOfAFileThatWasWrittenWhenItSays() {
        let mark = OpeningRecord(token: 5, tally: 9, date: 100_500)
        #expect(mark.wasWritten(to: FileStamp(inode: 1, seconds: 101, nanoseconds: 499_000_000)))
        #expect(!mark.wasWritten(to: FileStamp(inode: 1, seconds: 101, nanoseconds: 501_000_000)))
        #expect(!mark.wasWritten(to: FileStamp(inode: 1, seconds: 99, nanoseconds: 0)))
    }
}
