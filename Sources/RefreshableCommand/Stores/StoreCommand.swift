import ArgumentParser
import KeyedLists
import ListProtocol
import ListStorage

/// `refreshable store …`
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Copies lists between data folders and databases.",
        discussion: "Exit status: that of the subcommand; 64 for wrong usage.",
        subcommands: [StoreCopyCommand.self])
}

/// `refreshable store copy FROM TO`
struct StoreCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies lists from one data folder or database to another.",
        discussion: """
            Copies whole lists: rows, what runs and actions have left, and what people have not seen. In TO each list begins \
            a new epoch, so every page loads its rows once. FROM is only read, and the checksum of every row verified: a \
            damaged list is not copied. Each list is copied in one transaction. After an interruption, run the same command \
            again: lists that are there already are left as they are.

            Stop the servers first. A data folder that a server uses is refused, and so is a database to copy to. A \
            database in use may be copied from: each list as it is at one moment.

            Prints one line per list.

            Exit status: 0 on success, 1 if a list was not copied or TO can't be used, 64 for wrong usage, 66 if FROM, or \
            a list in it, does not exist.
            """)

    @Argument(
        help: "A data folder, or the URL of a PostgreSQL database; its password by PGPASSFILE.", completion: .directory)
    var from: String

    @Argument(help: "A data folder, which is created if there is none, or a database.", completion: .directory)
    var to: String

    @Option(name: .customLong("list"), help: .init("Copies only this list; repeatable.", valueName: "name"))
    var lists: [String] = []

    @Flag(help: "Replaces the rows of lists that exist in TO.")
    var replace = false

    func validate() throws {
        guard try Self.place(from) != Self.place(to) else {
            throw ValidationError("FROM and TO are the same.")
        }
    }

    func run() async throws {
        let source = try await openSource()
        let names = try await chosen(in: source)
        let target = try await openTarget()
        let tally = try await copy(names, from: source, to: target)
        await source.close()
        do { try await target.close() } catch { throw Self.fail(error) }
        Console.say(tally.summary(target.path))
        if tally.failures > 0 { throw ExitCode.failure }
    }

    private static func place(_ text: String) throws -> StorePlace {
        do { return try StorePlace(text) } catch { throw ValidationError("\(error)") }
    }

    // MARK: Opening

    private func openSource() async throws -> any StoreReader {
        do { return try await Self.place(from).reader(isAlone: true) } catch let error as ListStoreError {
            throw Self.fail(error, error.isMissing ? .noInput : .failure)
        }
    }

    private func openTarget() async throws -> CopyTarget {
        do {
            let target = try await CopyTarget(try Self.place(to))
            target.store.onNews { Console.warn("\($0)") }
            return target
        } catch let error as ListStoreError { throw Self.fail(error) }
    }

    /// The names of the lists that are to be copied, in the order of the source.
    private func chosen(in source: any StoreReader) async throws -> [String] {
        let names: [String]
        do { names = try await source.names() } catch { throw Self.fail(error) }
        let wanted = Set(lists.map { Key($0) })
        let missing = lists.filter { list in !names.contains { Key($0) == Key(list) } }
        guard missing.isEmpty else {
            for list in missing {
                let meant = Spelling.nearest(to: list, in: names).map { "; did you mean \($0.quoted)?" } ?? "."
                Console.warn("There is no list \(list.quoted) in \(source.path)\(meant)")
            }
            throw ExitCode.noInput
        }
        return names.filter { wanted.isEmpty || wanted.contains(Key($0)) }
    }

    private static func fail(_ error: ListStoreError, _ code: ExitCode = .failure) -> ExitCode {
        Console.warn(error.told)
        return code
    }

    // MARK: Copying

    private func copy(_ names: [String], from source: any StoreReader, to target: CopyTarget) async throws -> CopyTally
    {
        let copy = StoreCopy(
            from: source, to: target.store, readBy: target.reader, isReplacing: replace)
        var tally = CopyTally()
        for name in names {
            let start = ContinuousClock.now
            do {
                guard let outcome = try await copy.copy(name) else { continue }
                tally.say(name, outcome, target.path, .now - start)
            } catch {
                tally.failures += 1
                Console.warn(error.told)
                // What another store makes of it, or no room on a disk, concerns all lists.
                guard error.isOfOneList else { break }
            }
        }
        return tally
    }
}

/// What has come of lists so far.
private struct CopyTally {
    private var copied = 0
    private var present = 0
    var failures = 0

    /// Says it of one list.
    mutating func say(_ name: String, _ outcome: StoreCopy.Outcome, _ path: String, _ duration: Duration) {
        switch outcome {
        case .copied(let rows):
            copied += 1
            let time = duration < .seconds(1) ? "" : " in \(TrialReport.text(of: duration))"
            Console.say("\(name): \(rows.counting("row"))\(time)")
        case .present(let rows):
            present += 1
            Console.say("\(name): \(rows.counting("row")), there already, the same")
        case .occupied(let rows):
            failures += 1
            Console.warn(
                "Cannot copy the list \(name.quoted) to \(path): it exists there with \(rows.counting("other row")). "
                    + "Replace them with --replace, or name other lists with --list.")
        }
    }

    /// Of all lists.
    func summary(_ path: String) -> String {
        let others = [present > 0 ? "\(present) there already" : nil, failures > 0 ? "\(failures) not copied" : nil]
        return (["Copied \(copied.counting("list")) to \(path)"] + others.compactMap(\.self)).joined(separator: ", ")
            + "."
    }
}

extension ListStoreError {
    /// Whether there is nothing to read.
    fileprivate var isMissing: Bool {
        switch self {
        case .cannotOpen, .unavailable, .unsuitable: true
        default: false
        }
    }
}
