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
        #expect(error == SourceError(message: "The command ended with status 3.", detail: "It printed: oh dear"))
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
