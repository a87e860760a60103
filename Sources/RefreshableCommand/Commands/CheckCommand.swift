import ArgumentParser
import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `refreshable check [lists.yaml]`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a settings file and runs its sources once, or verifies stored lists.",
        discussion: """
            Reports each error on one line, FILE:LINE:COLUMN: what was expected, what was found, and a suggestion. Also \
            opens the files that `server` names: tokens, certificate and key. If there are no errors, runs each source once, \
            within its deadline, and shows its first three rows.

            With --store, verifies the checksum of every row in a data folder or database instead, even while servers use \
            it. Prints one line per list, and how to repair what is damaged.

            Exit status: 0 on success, 1 if a source failed or a list is damaged, 64 for wrong usage, 66 if the settings \
            file or the store does not exist, 78 for invalid settings.
            """)

    @Argument(
        help: "The settings file. (default: lists.yaml) [REFRESHABLE_LISTS]",
        completion: Completions.settings)
    var lists: String?

    @Flag(name: .customLong("no-run"), help: "Does not run the sources.")
    var isReadOnly = false

    @Option(
        name: .customLong("store"),
        help: .init("Verifies the lists stored in this data folder or PostgreSQL database.", valueName: "store"),
        completion: .directory)
    var store: String?

    func validate() throws {
        guard let store else { return }
        guard lists == nil, !isReadOnly else {
            throw ValidationError("--store verifies stored lists, and no settings: give one or the other.")
        }
        _ = try Self.place(store)
    }

    func run() async throws {
        if let store { return try await StoreCheck.run(try Self.place(store)) }
        let settings: ServeSettings
        do {
            settings = try ServeSettings(.init(lists: lists), environment: EnvironmentVariables.all)
        } catch {
            throw ValidationError("\(error)")
        }
        let file = try SettingsFile.path(settings.lists)
        let checked = CheckedFile(settings: try read(file), file: file)
        Console.say(checked.summary)
        guard !isReadOnly else { return }
        if try await failures(of: checked) > 0 { throw ExitCode.failure }
    }

    private static func place(_ text: String) throws -> StorePlace {
        do { return try StorePlace(text) } catch { throw ValidationError("\(error)") }
    }

    /// Faults are what was asked for, so they go to standard output.
    private func read(_ file: String) throws -> Settings {
        do {
            let settings = try SettingsFile.read(file)
            let report = try ServerFiles(
                settings: settings, file: file, environment: EnvironmentVariables.all, now: WallClock.milliseconds()
            ).look()
            for remark in report.remarks { Console.say(remark) }
            if !report.faults.isEmpty { throw fault(report.faults, file) }
            return settings
        } catch let faults as SettingsFaults {
            throw fault(faults.lines, faults.file)
        } catch let unfit as ServeSettings.Fault {
            throw fault(["\(unfit)"], file)
        } catch let code as ExitCode {
            throw code
        } catch {
            Console.warn("\(error)")
            throw ExitCode.noInput
        }
    }

    private func fault(_ lines: [String], _ file: String) -> ExitCode {
        Console.say((lines + [SettingsFaults.summary(lines.count, file)]).joined(separator: "\n"))
        return .invalidSettings
    }

    private func failures(of checked: CheckedFile) async throws -> Int {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isColoured = isTerminal && Style.isWanted
        let trying = Task {
            await checked.tryAll { report in
                // A program that reads this is not cut off at the width of a terminal that is not there.
                let width = isTerminal ? Terminal.currentSize().columns : 160
                let lines = report.lines(width: width, isColoured: isColoured, now: WallClock.milliseconds())
                Console.draw("\n" + lines.joined(separator: "\n"))
            }
        }
        StopSignals.onFirst { trying.cancel() }
        return await trying.value
    }
}
