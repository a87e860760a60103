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
        abstract: "Finds what is wrong with a settings file, and tries its sources.",
        discussion: """
            Every fault is a line: FILE:LINE:COLUMN: what was expected, what came, and the word that was perhaps meant. \
            Where there is none, each source is run once, within its own deadline, and its first three rows are shown.

            Ends with status 0 when all is well, 1 if a source failed, 64 when it was called wrongly, 66 without a \
            settings file, 78 when its settings are faulty.
            """)

    @Argument(
        help: "The settings; lists.yaml in this folder unless given. [REFRESHABLE_LISTS]",
        completion: Completions.settings)
    var lists: String?

    @Flag(name: .customLong("no-run"), help: "Runs no source.")
    var isReadOnly = false

    func run() async throws {
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

    /// Faults are what was asked for, so they go to standard output.
    private func read(_ file: String) throws -> Settings {
        do {
            let settings = try SettingsFile.read(file)
            if let tokens = settings.server(in: TextFile.folder(of: file))[.tokens] {
                _ = try TokenSettings(file: tokens)
            }
            return settings
        } catch let faults as SettingsFaults {
            Console.say((faults.lines + [faults.summary]).joined(separator: "\n"))
            throw ExitCode.faultySettings
        } catch {
            Console.warn("\(error)")
            throw ExitCode.noInput
        }
    }

    private func failures(of checked: CheckedFile) async throws -> Int {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isColoured = isTerminal && Style.isWanted
        let trying = Task {
            await checked.tryAll { report in
                // A program that reads this is not cut off at the width of a terminal that is not there.
                let width = isTerminal ? Terminal.currentSize().columns : 160
                let lines = report.lines(width: width, isColoured: isColoured, now: WallClock.milliseconds())
                Console.say("\n" + lines.joined(separator: "\n"))
            }
        }
        StopSignals.onFirst { trying.cancel() }
        return await trying.value
    }
}
