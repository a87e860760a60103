import CommandSources
import KeyedLists
import ListSources
import RefreshableLists

/// A settings file without a fault, whose sources are tried.
struct CheckedFile: Sendable {
    let settings: Settings
    /// As it was named.
    let file: String

    /// How many lists it has.
    var summary: String {
        let count = settings.lists.count
        return "\(file): \(count == 1 ? "1 list" : "\(count) lists"), no fault."
    }

    /// Runs all sources once, concurrently, and reports the results in the order of the file.
    ///
    /// - Returns: how many failed.
    func tryAll(_ say: @escaping @Sendable (TrialReport) -> Void) async -> Int {
        let folder = TextFile.folder(of: file)
        let rows = RowsFolder()
        defer { rows.removeTemporary() }
        let lists = ServedLists.lists(settings, of: "", folder: folder, rows: rows, hiding: settings.secrets.hiding)
        let trials = lists.compactMap { list in
            settings.source(of: list.name).map { source in
                (name: list.name, fields: source.fields, task: Task { await TrialList(list).load() })
            }
        }
        return await withTaskCancellationHandler {
            var failures = 0
            for trial in trials {
                let report = TrialReport(
                    name: trial.name, fields: trial.fields, result: await trial.task.value, secrets: settings.secrets)
                if !report.isFine { failures += 1 }
                say(report)
            }
            await CommandSource.waitForAll()
            return failures
        } onCancel: {
            for trial in trials { trial.task.cancel() }
        }
    }
}

extension Settings {
    /// What the list of this name is refreshed from; nil where there is nothing.
    fileprivate func source(of name: String) -> ListSettings.Source? { lists.first { $0.name == name }?.source }
}

/// The report of `check` on one list whose source was run.
struct TrialReport {
    /// Of the rows that are shown.
    private static let shown = 3

    let name: String
    /// What the settings say that rows have.
    let fields: FieldMapping
    let result: TrialList.Result
    /// What the report does not repeat.
    let secrets: Secrets

    var isFine: Bool { result.outcome.isSuccess }

    /// - Parameters:
    ///   - width: in columns of the terminal.
    ///   - now: milliseconds since 1970, for ages.
    func lines(width: Int, isColoured: Bool, now: Int64) -> [String] {
        let count = result.rows.count == 1 ? "1 row" : result.rows.isEmpty ? "no rows" : "\(result.rows.count) rows"
        let time = "in \(Self.text(of: result.duration))"
        let title = Style.bold.of(TerminalText.safe(name), isColoured: isColoured)
        guard isFine else {
            let failed = Style.red.of("failed", isColoured: isColoured)
            return ["\(title): \(failed) \(time)"] + problem.split(separator: "\n").map { "  \($0)" }
        }
        let table = RowTable(Array(result.rows.prefix(Self.shown)), now: now)
        return ["\(title): \(count) \(time)"]
            + (result.rows.isEmpty ? [] : table.lines(width: width, isColoured: isColoured) + missing)
    }

    /// What the settings say of rows, and none of them has: a name that is misspelt, perhaps.
    private var missing: [String] {
        let present = result.rows.reduce(into: Set<Key>()) { $0.formUnion($1.fields.members.keys) }
        return FieldMapping.Field.allCases.compactMap { field in
            guard field != .key, let column = fields.columns[field], !present.contains(Key(field.rawValue)) else {
                return nil
            }
            let place = field == .section ? "`section` says" : "`fields` say"
            return "  "
                + TerminalText.safe(
                    "No row has a \(field.rawValue): its \(place) \(column), which is missing or empty in all.")
        }
    }

    /// The source's own message; its details are for the operator.
    private var problem: String {
        let text =
            switch result.outcome {
            case .success: ""
            case .failure(let failure): result.detail ?? failure.message
            case .timeout(let limit):
                "It had no output for \(Self.text(of: limit)). Raise its `deadline`, or set it to none."
            case .cancelled: "It was stopped before it ended."
            }
        return TerminalText.lines(secrets.hiding(text))
    }

    /// `43 ms`, `1.2 s`, `30 s`.
    static func text(of duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        let tenths = milliseconds / 100
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
    }
}
