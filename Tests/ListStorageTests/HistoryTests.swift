import Testing

@testable import ListStorage

/// The rule itself, as a table.
@Suite struct HistoryTests {
    private static let file = FileStamp(inode: 7, seconds: 100, nanoseconds: 5)
    private static let closed = History.Opening(boot: "b1", inode: 7, isClosed: true)
    private static let lost = History.Opening(boot: "b1", inode: 7, isClosed: false)

    @Test(arguments: [
        (History(opening: closed, seal: file, file: file, hasLog: false, boot: "b2"), true),
        (History(opening: closed, seal: nil, file: file, hasLog: false, boot: "b1"), false),
        (History(opening: closed, seal: file, file: file, hasLog: true, boot: "b1"), false),
        (
            History(
                opening: closed, seal: FileStamp(inode: 8, seconds: 100, nanoseconds: 5), file: file, hasLog: false,
                boot: "b1"), false
        ),
        (
            History(
                opening: closed, seal: FileStamp(inode: 7, seconds: 100, nanoseconds: 6), file: file, hasLog: false,
                boot: "b1"), false
        ),
        (History(opening: lost, seal: nil, file: file, hasLog: true, boot: "b1"), true),
        (History(opening: lost, seal: nil, file: file, hasLog: true, boot: "b2"), false),
        (History(opening: lost, seal: nil, file: file, hasLog: true, boot: nil), false),
        (
            History(
                opening: lost, seal: nil, file: FileStamp(inode: 8, seconds: 1, nanoseconds: 1), hasLog: true,
                boot: "b1"), false
        ),
        (History(opening: nil, seal: nil, file: nil, hasLog: false, boot: "b1"), false),
    ])
    func historyIsVouchedForOnlyWhereNothingCanBeLost(history: History, isVouchedFor: Bool) {
        #expect(history.isVouchedFor == isVouchedFor)
    }

    @Test func aStampIsReadAsItIsWritten() {
        #expect(FileStamp("\(Self.file)\n") == Self.file)
        #expect(FileStamp("7 100") == nil)
    }
}
