import Glibc
import KeyedLists
import Testing

@testable import ListSources

/// Real files.
struct FileSourceTests {
    private let folder = TestFolder()

    @Test
    func aFileIsReadByTheFormatOfItsName() async throws {
        folder.write("key,title\n1,Ada\n2,Grace\n")
        #expect(try await FileSource(folder.file).titles() == ["1 Ada", "2 Grace"])
    }

    @Test
    func aFaultNamesTheLineAndNotThePath() async {
        folder.write("key,title\n1,\"Ada\n")
        #expect(
            await failure()?.description == "Line 2, column 3 of the file: a quote is opened that nothing closes.")
    }

    @Test
    func whatIsNoFileSaysSo() async {
        #expect(await failure()?.message == "The file is not there.")
        mkdir(folder.file, 0o755)
        #expect(await failure()?.message == "What should be a file is a folder.")
        #expect(await failure(FileSource("/dev/null"))?.message == "What should be a file is none.")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aFileThatMayNotBeReadSaysSo() async {
        folder.write("a")
        chmod(folder.file, 0)
        #expect(await failure()?.message == "The file may not be read.")
    }

    @Test
    func aLargeFileIsAFailure() async {
        folder.write(String(repeating: "x\n", count: 600))
        #expect(await failure(FileSource(folder.file, limit: 1024))?.message == "The file is larger than 1 KiB.")
    }

    @Test
    func aFileThatIsBeingWrittenIsNotShown() async throws {
        let writer = TestFolder.Writer(folder.file)
        writer.write("key,title\n1,Ada\n2,Gr")
        let error = await failure(FileSource(folder.file, patience: .zero))
        writer.write("ace\n")
        writer.close()
        #expect(error?.message == "The file is still being written.")
        #expect(try await FileSource(folder.file).titles() == ["1 Ada", "2 Grace"])
    }

    @Test(.timeLimit(.minutes(1)))
    func aRunWaitsForAWriterToClose() async throws {
        let writer = TestFolder.Writer(folder.file)
        writer.write("title\nAda\nGr")
        let source = FileSource(folder.file)
        async let titles = source.run().flatMap(\.self).map { $0.text("title") }
        writer.write("ace\n")
        writer.close()
        #expect(try await titles == ["Ada", "Grace"])
    }

    @Test
    func aFileThatGrowsIsShownUpToItsLastLine() async throws {
        let writer = TestFolder.Writer(folder.file)
        writer.write("title\nAda\nGr")
        defer { writer.close() }
        let rows = try await FileSource(folder.file, grows: true).run().flatMap(\.self)
        #expect(rows.map { $0.text("title") } == ["Ada"])
    }

    @Test
    func whereTheSystemDoesNotSayWhoWritesAFileIsWholeOnceItRests() {
        #expect(FileWriters.some.mayBeWriting(modified: 0, now: .max))
        #expect(!FileWriters.none.mayBeWriting(modified: 10, now: 10))
        #expect(FileWriters.unknown.mayBeWriting(modified: 10, now: 499_999_999))
        #expect(!FileWriters.unknown.mayBeWriting(modified: 10, now: 500_000_010))
        #expect(!FileWriters.unknown.mayBeWriting(modified: 10, now: 9))
    }

    /// A reader that goes round all the while sees one of the two, whole, however the writer replaces it.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func noReaderSeesHalfOfAFile(renames: Bool) async throws {
        let texts = ["a", "b"].map { "title\n" + String(repeating: "\($0)\n", count: 20_000) }
        let folder = folder
        folder.write(texts[0])
        let source = FileSource(folder.file)
        async let written: Void = {
            for round in 0..<40 {
                if renames { folder.replace(texts[round % 2]) } else { folder.write(texts[round % 2]) }
                await Task.yield()
            }
        }()
        for _ in 0..<10 {
            let titles = try await source.run().flatMap(\.self).map { $0.text("title") }
            #expect(titles.count == 20_000 && Set(titles).count == 1)
        }
        await written
    }

    @Test
    func aStampIsTrustedOnceTheClockHasMovedOn() throws {
        folder.write("a")
        let stamp = try #require(FileStamp(path: folder.file))
        #expect(!FileStamp.haveRested([nil, stamp], now: stamp.modified + 5_000_000))
        #expect(!FileStamp.haveRested([stamp], now: stamp.modified - 5_000_000), "by a clock that is a little behind")
        #expect(FileStamp.haveRested([stamp, nil], now: stamp.modified + 50_000_000))
        #expect(FileStamp.haveRested([nil], now: 0))
    }

    @Test(.timeLimit(.minutes(1)))
    func changesAreTold() async throws {
        folder.write("a")
        var changes = FileSource(folder.file).changes().makeAsyncIterator()
        folder.write("title\nAda\n")
        try #require(await changes.next() != nil)
        folder.replace("title\nGrace\n")
        try #require(await changes.next() != nil)
        unlink(folder.file)
        try #require(await changes.next() != nil)
        folder.write("title\nAda\n")
        try #require(await changes.next() != nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func aFileIsAnnouncedOnceItIsClosed() async throws {
        folder.write("a")
        var changes = FileSource(folder.file).changes().makeAsyncIterator()
        let writer = TestFolder.Writer(folder.file)
        writer.write("title\nAda\n")
        let source = FileSource(folder.file, patience: .zero)
        #expect(await failure(source) != nil)
        writer.close()
        try #require(await changes.next() != nil)
        #expect(try await source.run().flatMap(\.self).count == 1)
    }

    private func failure() async -> SourceError? { await failure(FileSource(folder.file)) }

    private func failure(_ source: FileSource) async -> SourceError? {
        await #expect(throws: SourceError.self) { try await source.rows(into: TestSink()) }
    }
}
