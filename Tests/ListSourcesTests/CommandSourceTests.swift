import CommandSources
import Glibc
import KeyedLists
import ListSources
import Testing

/// Real processes, each of a few milliseconds.
struct CommandSourceTests {
    @Test
    func argumentsAreReadByNoShell() async throws {
        let source = CommandSource(
            .arguments(["printf", "%s\\t%s\\n", "a", "$HOME *"]), format: .tsv,
            fields: [.key: .number(1), .title: .number(2)])
        #expect(try await source.titles() == ["a $HOME *"])
    }

    @Test
    func aShellLineIsReadByTheShell() async throws {
        let source = CommandSource(
            .shell("for x in 1 2; do echo \"$x $GREETING\"; done"), fields: [.key: .number(1), .title: .number(2)],
            environment: ["GREETING": "hello"])
        #expect(try await source.titles() == ["1 hello", "2 hello"])
    }

    @Test
    func rowsComeWhileTheCommandRuns() async throws {
        let source = CommandSource(.shell("echo one; sleep 0.2; printf two"))
        #expect(try await source.run().map(\.count) == [1, 1])
    }

    @Test
    func standardInputIsEmpty() async throws {
        #expect(try await CommandSource(.shell("cat; echo end")).run().flatMap(\.self).count == 1)
    }

    @Test
    func theCommandRunsInItsFolder() async throws {
        let row = try await CommandSource(.arguments(["pwd"]), workingFolder: "/usr").run().first?.first
        #expect(row?.text("title") == "/usr")
    }

    @Test
    func anotherStatusThanZeroIsAFailure() async {
        let error = await failure(.shell("echo row; echo oh dear >&2; exit 3"))
        #expect(error?.message == "The command ended with status 3." && error?.detail == "It printed: oh dear")
        #expect(error?.code == "commandFailed" && error?.values == ["3"], "for pages in other languages")
    }

    @Test
    func aSignalIsAFailure() async {
        #expect(await failure(.shell("kill -9 $$"))?.message == "The command was ended by signal 9.")
    }

    @Test
    func theLogGetsTheEndOfTheErrorOutput() async {
        let error = await failure(.shell("seq 1 100000 >&2; exit 1"))
        #expect(error?.detail.hasPrefix("It printed: …") == true)
        #expect(error?.detail.hasSuffix("99999\n100000") == true)
        #expect((error?.detail.utf8.count ?? 0) < 4200)
    }

    @Test
    func aCommandThatIsNotThereSaysSo() async {
        #expect(await failure(.arguments(["gti", "log"]))?.message == "The command “gti” was not found.")
        #expect(await failure(.arguments(["/no/such/thing"]))?.message == "The command “/no/such/thing” was not found.")
        #expect(await failure(.shell("gti log"))?.message == "The command was not found (status 127).")
    }

    @Test
    func aFolderThatIsNotThereSaysSo() async {
        let error = await failure(CommandSource(.arguments(["pwd"]), workingFolder: "/no/such"))
        #expect(error?.detail == "Its working folder /no/such can't be entered.")
    }

    @Test(.timeLimit(.minutes(1)))
    func tooMuchOutputIsAFailureAndEndsTheCommand() async {
        let error = await failure(CommandSource(.shell("exec yes $(seq -s, 500)"), outputLimit: 1 << 20))
        #expect(error?.message == "The command printed more than 1 MiB.")
    }

    @Test
    func aLineWithoutEndIsAFailure() async {
        let error = await failure(.shell("exec head -c 1000000 /dev/zero | tr '\\0' x"))
        #expect(error?.message == "Line 1 of the output is longer than 256 KiB.")
    }

    @Test
    func garbageIsAFailureThatNamesTheLine() async {
        let error = await failure(.shell("echo fine; head -c 64 /bin/sh"))
        #expect(error?.message == "Line 2 of the output is not text: it has a zero byte.")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["", "trap '' TERM; "])
    func cancellingEndsTheWholeGroup(trap: String) async throws {
        let mark = "314159.\(UInt32.random(in: 0 ... .max))"
        let source = CommandSource(
            .shell("\(trap)echo ready; sleep \(mark) & sleep \(mark)"), patience: .milliseconds(100))
        let sink = TestSink()
        let task = Task { try await source.rows(into: sink) }
        for await _ in sink.events { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await allEnded(with: mark))
    }

    @Test(.timeLimit(.minutes(1)))
    func whatACommandLeavesInTheBackgroundEndsWithIt() async throws {
        let mark = "271828.\(UInt32.random(in: 0 ... .max))"
        #expect(try await CommandSource(.shell("sleep \(mark) & echo done")).run().flatMap(\.self).count == 1)
        #expect(try await allEnded(with: mark))
    }

    @Test(.timeLimit(.minutes(1)))
    func aGrandchildThatPrintsForEverEndsWithItsCommand() async throws {
        let source = CommandSource(.shell("yes no >&2 & yes & echo done; exit 3"), outputLimit: 1 << 30)
        #expect(await failure(source)?.message == "The command ended with status 3.")
    }

    @Test(.timeLimit(.minutes(1)))
    func aGrandchildThatLeftTheGroupHoldsNobodyUp() async throws {
        let source = CommandSource(.shell("setsid sleep 3600 & echo $!"))
        let title = try await source.run().flatMap(\.self).first?.text("title")
        let grandchild = try #require(title.flatMap { pid_t($0) })
        #expect(kill(grandchild, SIGKILL) == 0, "it is alive still, and nobody waited for it")
    }

    @Test
    func aCommandThatWaitsForAllItsChildrenFindsNone() async throws {
        let wait = """
            import os
            try: print(os.waitpid(-1, 0))
            except ChildProcessError: print("none")
            """
        let row = try await CommandSource(.arguments(["python3", "-c", wait])).run().first?.first
        #expect(row?.text("title") == "none")
    }

    @Test
    func nothingButTheThreeStandardFilesIsHandedOn() async throws {
        let list = "import os; print(sorted(os.listdir('/proc/self/fd'))[:3], len(os.listdir('/proc/self/fd')))"
        let row = try await CommandSource(.arguments(["python3", "-c", list])).run().first?.first
        // The fourth is the folder that is being listed.
        #expect(row?.text("title") == "['0', '1', '2'] 4")
    }

    @Test
    func aCommandThatPrintsNothingGivesNoRows() async throws {
        #expect(try await CommandSource(.shell("exit 0")).run().isEmpty)
        #expect(try await CommandSource(.shell("exit 0"), format: .csv).run().isEmpty)
    }

    @Test
    func theLastLineNeedsNoEnd() async throws {
        #expect(try await CommandSource(.shell("printf 'one\\ntw'")).run().flatMap(\.self).count == 2)
    }

    @Test
    func whatIsNotUTF8SaysWhere() async {
        let error = await failure(.shell("printf 'fine\\n\\377\\376\\n'"))
        #expect(error?.message == "Line 2 of the output is not UTF-8 text.")
    }

    @Test
    func manyErrorsHoldNobodyUp() async throws {
        let source = CommandSource(.shell("seq 1 200000 >&2; echo row; seq 1 200000 >&2; echo row"))
        #expect(try await source.run().flatMap(\.self).count == 2)
    }

    @Test(.timeLimit(.minutes(1)))
    func aMillionLinesAreRead() async throws {
        let source = CommandSource(
            .shell("seq 1000000"),
            layout: RowLayout(.lines, fields: [.key: .number(1)], selection: RowSelection(limit: 3)))
        #expect(try await source.run().flatMap(\.self).map(\.key) == ["1", "2", "3"])
    }

    @Test
    func aCommandThatMayNotBeExecutedSaysSo() async throws {
        let error = await failure(CommandSource(.arguments(["./passwd"]), workingFolder: "/etc"))
        #expect(error?.message == "The command “./passwd” may not be executed.")
        #expect(await failure(.arguments(["/etc"]))?.detail == "/etc is a folder.")
    }

    @Test
    func aPathOfItsOwnIsWhereAProgramIsFound() async {
        let source = CommandSource(.arguments(["ls"]), environment: ["PATH": "/nowhere"])
        #expect(await failure(source)?.message == "The command “ls” was not found.")
    }

    @Test(arguments: ["", ">&2"])
    func marksAreProgressAndNoRows(output: String) async throws {
        let source = CommandSource(
            .shell("echo '#progress 1/3 One' \(output); sleep 0.1; echo row; echo '#progress 2/3' \(output)"))
        let sink = TestSink()
        try await source.rows(into: sink)
        let events = await sink.collected()
        // The newest alone counts where several come at once.
        #expect(events.progress.last == "2/3")
        #expect(events.progress.dropLast().allSatisfy { $0 == "1/3 One" })
        #expect(events.rows.map { $0.text("title") } == ["row"])
    }

    @Test
    func rowsAreCountedWhereThatIsAsked() async throws {
        let line = "printf 'a b\\n1 2\\n#progress 7\\n3 4\\n5 6'"
        for (total, progress) in [(nil, "3/?"), (3, "3/3"), (4, "3/4"), (2, "3/3")] {
            let sink = TestSink()
            try await CommandSource(
                .shell(line), fields: [.key: .name("a"), .title: .name("b")], progress: .rows(of: total)
            ).rows(into: sink)
            #expect(await sink.collected().progress.last == progress)
        }
    }

    @Test
    func marksAreNotPartOfAnError() async {
        let error = await failure(.shell("for i in 1 2 3; do echo \"#progress $i/3\" >&2; done; echo oh >&2; exit 1"))
        #expect(error?.detail == "It printed: oh")
    }

    @Test(.timeLimit(.minutes(1)))
    func waitingForAllWaitsForWhatIsBeingEnded() async throws {
        let mark = "161803.\(UInt32.random(in: 0 ... .max))"
        let source = CommandSource(
            .shell("trap '' TERM; echo ready; sleep \(mark)"), patience: .milliseconds(100))
        let sink = TestSink()
        let task = Task { try await source.rows(into: sink) }
        for await _ in sink.events { break }
        task.cancel()
        await CommandSource.waitForAll()
        #expect(try await allEnded(with: mark))
    }

    /// Whether no process with that mark is left. One that was sent SIGKILL ends when it is next given the processor, so
    /// this asks a few times.
    private func allEnded(with mark: String) async throws -> Bool {
        for _ in 0..<50 where try await processes(with: mark).isEmpty { return true }
        return false
    }

    // Cut short, for some program's arguments may be longer than a row; as ASCII, so that no character is cut in two.
    private func processes(with mark: String) async throws -> [String] {
        let source = CommandSource(.shell("ps -eo stat=,args= | cut -b 1-200"), environment: ["LC_ALL": "C"])
        let all = try await source.run().flatMap(\.self).compactMap { $0.text("title") }
        #expect(all.contains { $0.contains("ps -eo") }, "ps shows no processes: \(all)")
        return all.filter { $0.contains("sleep \(mark)") && !$0.hasPrefix("Z") }
    }

    private func failure(_ command: CommandSource.Command) async -> SourceError? {
        await failure(CommandSource(command))
    }

    private func failure(_ source: CommandSource) async -> SourceError? {
        await #expect(throws: SourceError.self) { try await source.rows(into: TestSink()) }
    }
}
