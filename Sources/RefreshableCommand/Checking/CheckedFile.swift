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
