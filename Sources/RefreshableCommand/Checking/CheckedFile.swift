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

    /// Runs every source once, beside each other, and says in the order of the file how each went.
    ///
    /// - Returns: how many failed.
    func tryAll(_ say: @escaping @Sendable (TrialReport) -> Void) async -> Int {
        let folder = TextFile.folder(of: file)
        let lists = ServedLists.lists(settings, folder: folder, hiding: settings.secrets.hiding)
        let trials = lists.filter { settings.hasSource($0.name) }.map { list in
            (name: list.name, task: Task { await TrialList(list).load() })
        }
        return await withTaskCancellationHandler {
            var failures = 0
            for trial in trials {
                let report = TrialReport(name: trial.name, result: await trial.task.value, secrets: settings.secrets)
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
    /// Whether a list of this name has something to be refreshed from.
    fileprivate func hasSource(_ name: String) -> Bool { lists.first { $0.name == name }?.source != nil }
}
