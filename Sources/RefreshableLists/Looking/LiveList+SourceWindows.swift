import KeyedLists
import ListSources
import Logging

/// The windows of a list that its source is asked for: read as somebody is about to look, and again by each run.
///
///     look ──▶ is it here? ──▶ source.rows(in: window) ──▶ told
///     run  ──▶ source.prepare(…), then all windows that are looked at ──▶ what differs is one revision
extension LiveList {
    /// Has all there that somebody is about to look at, then calls back: what a query wants of the rows, or what the source has in
    /// a window.
    ///
    /// - Parameters:
    ///   - view: nil: all rows; of a list in windows, the first.
    ///   - watch: nil: somebody who does not watch.
    func prepare(_ view: ListView?, for watch: WatchID? = nil, then: @escaping () -> Void) {
        guard let source = description.windows else { return find(view, for: watch, then: then) }
        let view = view ?? .top
        let isThere = broadcaster.views.sourced[view].map { watch != nil || !$0.place.isSearching } ?? false
        guard !isThere else { return then() }
        let isBegun = sourceReading.waiting[view] != nil
        sourceReading.waiting[view, default: []].append(SourceReading.Waiting(isWatching: watch != nil, then: then))
        if !isBegun { begin(view, from: source) }
    }

    private func begin(_ view: ListView, from source: any WindowSource) {
        let run = sourceReading.runs
        Task.detached(executorPreference: HandlerExecutor.shared) { [weak self] in
            let result: Result<WindowRows?, any Error>
            do { result = .success(try await source.rows(in: view.window, of: view.query)) } catch {
                result = .failure(error)
            }
            self?.post { $0.hasRead(result, of: view, since: run) }
        }
    }

    private func hasRead(_ result: Result<WindowRows?, any Error>, of view: ListView, since run: Int) {
        guard sourceReading.waiting[view] != nil else { return }
        // A run has prepared the source meanwhile, and does not know of this window.
        if run != sourceReading.runs, !hasEnded, let source = description.windows { return begin(view, from: source) }
        do {
            if let read = try result.get() {
                try check(read)
                try take(read.headed(by: description.heading), for: view)
            } else {
                sourceReading.missing.insert(view)
            }
        } catch {
            let (failure, detail) = RefreshFailure.explaining(error)
            sourceReading.faults[view] = failure
            logger.error("Cannot read a part of the list: \(detail ?? failure.message)")
            retryLater(view)
        }
        let isSearching = (try? result.get())??.isSearching == true
        let waiting = sourceReading.waiting.removeValue(forKey: view) ?? []
        for one in waiting where one.isWatching || !isSearching { one.then() }
        sourceReading.faults[view] = nil
        sourceReading.missing.remove(view)
        let others = isSearching ? waiting.filter { !$0.isWatching } : []
        if others.isEmpty { broadcaster.views.sourced.dropUnused(view) }
        if isSearching { readOn(view, for: others) }
        publishFigures()
    }

    /// Reads on for those who see what was found first.
    ///
    /// - Parameter others: who wait for all of it.
    private func readOn(_ view: ListView, for others: [SourceReading.Waiting] = []) {
        guard !hasEnded, let source = description.windows, broadcaster.views.sourced[view] != nil else { return }
        sourceReading.waiting[view] = others
        begin(view, from: source)
    }

    /// Tries a search that failed again after a pause, if somebody sees what was found first.
    private func retryLater(_ view: ListView) {
        guard sourceReading.retries.insert(view).inserted else { return }
        executor.schedule(at: now.uptime + SourceReading.retryDelay) { [weak self] in
            self?.assumeIsolated { $0.retry(view) }
        }
    }

    private func retry(_ view: ListView) {
        sourceReading.retries.remove(view)
        let isSearching = broadcaster.views.sourced[view]?.place.isSearching == true
        if isSearching, sourceReading.waiting[view] == nil { readOn(view) }
    }

    private func take(_ read: WindowRows, for view: ListView) throws(DuplicateKey) {
        guard broadcaster.views.sourced[view] != nil else {
            return try broadcaster.views.sourced.take(read, for: view, at: now.date)
        }
        guard let kept else { return }
        for moved in try broadcaster.finish(read, for: view, of: kept, at: now.date) { tell(moved) }
    }

    private func check(_ read: WindowRows) throws(RefreshFailure) {
        if let failure = RefreshFailure.limits(limits, exceededBy: read.rows) { throw failure }
    }

    /// What a run is to read now that the source is prepared. What somebody else is reading is read again then: it may be of before.
    func windowsToRead() -> [ListView: Window] {
        sourceReading.runs += 1
        return broadcaster.views.sourced.looked
    }

    /// A run has read all windows that were looked at when its source was prepared.
    func finish(_ id: RunID, with reads: [ListView: WindowRows]) {
        finish(id) { [self] in
            for read in reads.values { try check(read) }
            // Of when all rows were kept.
            if let count = kept?.rows.count, count > 0 { return .rows([], of: count, at: now) }
            let isOther = broadcaster.views.sourced.differ(from: reads)
            return RowsChange(weight: 0) { isOther ? $0.advance() : nil }
        } then: { [self] in
            show(reads, by: id)
        }
    }

    /// Another server has found that the source has other rows.
    func readWindowsAgain() {
        guard let source = description.windows else { return }
        let heading = description.heading
        Task.detached(executorPreference: HandlerExecutor.shared) { [weak self] in
            do {
                try await source.prepare { _, _, _ in }
                guard let windows = await self?.windowsToRead() else { return }
                let reads = try await source.read(windows).mapValues { $0.headed(by: heading) }
                self?.post { $0.show(reads, by: nil) }
            } catch {
                let (failure, detail) = RefreshFailure.explaining(error)
                self?.logger.error("Cannot read the list again: \(detail ?? failure.message)")
            }
        }
    }

    private func show(_ reads: [ListView: WindowRows], by run: RunID?) {
        guard let kept, !hasEnded else { return }
        do {
            try broadcaster.views.sourced.follow(reads, of: kept, by: run, at: now.date)
        } catch {
            logger.error("Cannot show the list's rows: \(error)")
        }
        publishFigures()
    }
}

/// What is being read of a source that is asked for windows.
struct SourceReading {
    struct Waiting {
        /// Whether they may see the first of what is found; else they wait for all.
        let isWatching: Bool
        let then: () -> Void
    }

    /// After a search failed; milliseconds.
    static let retryDelay: Int64 = 5000

    /// Those who wait for a window.
    var waiting: [ListView: [Waiting]] = [:]
    /// Searches that will be tried again.
    var retries: Set<ListView> = []
    /// Why a window could not be read, while they are told.
    var faults: [ListView: RefreshFailure] = [:]
    /// Those around a row that is not there, while they are told.
    var missing: Set<ListView> = []
    /// How often all windows were read again: what was begun before may be of before.
    var runs = 0
}

extension WindowSource {
    /// Reads windows, each as a view has it; what is gone meanwhile is left out.
    func read(_ windows: [ListView: Window]) async throws -> [ListView: WindowRows] {
        var reads: [ListView: WindowRows] = [:]
        for (view, window) in windows {
            // All of what is looked for.
            repeat { reads[view] = try await rows(in: window, of: view.query) } while reads[view]?.isSearching == true
        }
        return reads
    }
}
