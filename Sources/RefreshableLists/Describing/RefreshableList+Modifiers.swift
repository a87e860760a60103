public import KeyedLists
package import ListProtocol
public import ListSources
public import Pulling

/// Modifiers that set when and how a list refreshes.
///
/// All durations are counted by the server's clock, in whole milliseconds. One that is not longer than zero is a fault of
/// the description, which the server's `run()` throws.
extension RefreshableList {
    /// How the rows of a run are published. Default: `replace`, all at the end. A page is always appended.
    public func mode(_ mode: Mode) -> Self { with { $0.mode = mode } }

    /// What becomes of a row whose key was yielded before in the same run. Default: `fail`.
    public func duplicates(_ duplicates: Duplicates) -> Self { with { $0.duplicates = duplicates } }

    /// How long a run may go without a row or a report before it ends as timed out. 30 s unless set; nil: for ever.
    ///
    /// It counts from the run's start, its last row or its last report, so length alone fails nobody who reports. The
    /// handler is cancelled then, and what it still gives is rejected. A list has four handlers at most that do not heed
    /// that: then its runs fail at once, until one of them has returned.
    public func deadline(_ deadline: Duration?) -> Self { with { $0.rules.deadline = deadline } }

    /// Refreshes this long after the last refresh began, while the list is watched. Default: never.
    ///
    /// It rests while nobody watches, and catches up when somebody comes. Where `shouldRefresh` says no, it asks again
    /// that much later.
    public func every(_ interval: Duration?) -> Self { with { $0.rules.every = interval } }

    /// Refreshes when a client begins to watch rows whose last success is longer ago than this. Default: never. The
    /// first client after the server's start loads the list in any case, unless it begins with `rows`.
    public func maximumAge(_ age: Duration?) -> Self { with { $0.maximumAge = age } }

    /// Answers a pull or a button that comes sooner than this after a success from what is there. Always refreshes,
    /// unless set.
    ///
    /// It holds back people alone: neither code nor `every`, nor a run that is under way, which is joined.
    public func minimumInterval(_ interval: Duration?) -> Self { with { $0.rules.minimumInterval = interval } }

    /// Decides whether a run may begin: a refresh, an initial load, or one of `every`. A text refuses it, and is what
    /// the person who pulled reads; nil allows it. Default: nil.
    ///
    /// It is not asked of those who join a run, nor of pages.
    ///
    /// - Parameter refusal: Called on the list's thread: answer at once.
    public func shouldRefresh(_ refusal: @escaping Refusal) -> Self { with { $0.rules.refusal = refusal } }
}

/// The initial load, where it is not a refresh.
extension RefreshableList {
    /// Loads the list when it is first watched, with the rows that `action` returns, in place of the handler of
    /// `refreshable`.
    ///
    /// Alone it gives no pull and no button: the list is loaded once, and again where `maximumAge` or `every` say so.
    @_disfavoredOverload
    public func task(_ action: @escaping @concurrent @Sendable () async throws -> [ListRow]) -> Self {
        with { $0.initialHandler = .returning(action) }
    }

    /// Loads the list when it is first watched, with rows made of the texts or values that `action` returns.
    public func task<Rows: Sequence & SendableMetatype>(
        _ action: @escaping @concurrent @Sendable () async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.initialHandler = .returning { .rows(of: try await action()) } }
    }

    /// Loads the list when it is first watched, with the rows that `action` yields.
    public func task(_ action: @escaping @concurrent @Sendable (RefreshRun) async throws -> Void) -> Self {
        with { $0.initialHandler = .yields(action) }
    }

    /// Runs when the list is first watched; the rows stay as its edits leave them.
    public func onFirstLoad(_ action: @escaping @concurrent @Sendable () async throws -> Void) -> Self {
        with { $0.initialHandler = .edits { _ in try await action() } }
    }
}

/// Modifiers for the gesture. The server sends them to its clients, which track the finger.
extension RefreshableList {
    /// How far the list is to be pulled, and when that refreshes: `standard` unless set.
    ///
    /// ```swift
    /// .pull(.classic)
    /// .pull(.recipe, threshold: 80)
    /// ```
    ///
    /// Distances are displayed px of the content, 10 000 at most; those left out are the configuration's. One by which
    /// no pull could be measured is a fault of the description, which the server's `run()` throws.
    ///
    /// - Parameters:
    ///   - configuration: One of the four presets, or your own.
    ///   - trigger: When a pull past the threshold asks for a refresh.
    ///   - threshold: From where a pull counts.
    ///   - minimum: Up to where nothing is drawn: at least 0, and less than `threshold`.
    ///   - hold: Where the content rests while it loads: at least 0.
    ///   - hysteresis: How far below the threshold a primed pull is abandoned: more than 0, and less than `threshold`.
    public func pull(
        _ configuration: PullConfiguration = .standard, trigger: PullConfiguration.Trigger? = nil,
        threshold: Double? = nil, minimum: Double? = nil, hold: Double? = nil, hysteresis: Double? = nil
    ) -> Self {
        with { list in
            do throws(PullConfigurationError) {
                list.pull = try configuration.changing(
                    trigger: trigger, threshold: threshold, minimum: minimum, hold: hold, hysteresis: hysteresis)
                list.pullFault = nil
            } catch {
                list.pullFault = error
            }
        }
    }

    /// Whether phones that can do so tick when the pull primes and when the refresh is over. They do not, unless set.
    public func haptics(_ isOn: Bool = true) -> Self { with { $0.haptics = isOn } }

    /// What is drawn in the gap: `default`, `simple`, `circular`, or a name that your page knows. The page draws
    /// `default` for a name that it does not know.
    public func indicator(_ name: String) -> Self { with { $0.indicator = name } }

    /// The indicator's texts by phase: `waiting`, `primed`, `loading`, `closing`. The page has its own for those left
    /// out. With any other key, the server's `run()` throws.
    public func texts(_ texts: [String: String]) -> Self { with { $0.texts = texts } }

    /// Whether pages mark rows that came since somebody first saw the list, until that person opens them.
    ///
    /// For people who signed in, or show a token, the server remembers that, on all their devices, of the newest 200 such rows; all
    /// others' browsers do.
    public func tracksUnread(_ isOn: Bool = true) -> Self { with { $0.tracksUnread = isOn } }

    /// Which servers may run the list, where several share it over PostgreSQL: its handler, its timer, and its actions. All may show and
    /// refresh it. Any may run it, unless set. Without effect where one server has the list.
    ///
    /// For a source that only some machines have. If none of these is there, refreshes are refused as `unavailable`.
    public func led(by leaders: Leaders) -> Self { with { $0.leaders = leaders } }

    /// What the rows are called, in pages that say how many are new: `.noun("commit", "commits")` makes “4 new commits”.
    ///
    /// - Parameters:
    ///   - one: of a single row.
    ///   - other: of several.
    ///   - language: for pages in this one alone, such as `de`; others keep what they have.
    public func noun(_ one: String, _ other: String, language: String? = nil) -> Self {
        with { list in
            let forms: [Noun.Form: String] = [.one: one, .other: other]
            var noun = list.noun ?? Noun(forms: [:])
            if let language { noun.languages[language] = forms } else { noun.forms = forms }
            list.noun = noun
        }
    }

    package func noun(_ noun: Noun?) -> Self { with { $0.noun = noun } }
}

/// Lists that are loaded a page at a time.
///
/// ```swift
/// RefreshableList("archive")
///     .refreshable { try await archive.letters(before: nil) }
///     .more { last in try await archive.letters(before: last.key.string) }
/// ```
///
/// The refresh gives the first page, and is shown that alone; each page that somebody asks for follows the last row.
/// Loading a page is a run: one for all who ask, with its deadline, and with an outcome that everybody hears of. But it
/// is no refresh: it does not move "updated", and a failure does not mark the rows as stale. A refresh that begins
/// meanwhile ends it as cancelled, and its rows are late then and dropped.
extension RefreshableList {
    /// Loads the rows after `last`, on request. An empty array means that there are none: no further page
    /// is offered until the next successful refresh.
    @_disfavoredOverload
    public func more(_ load: @escaping @concurrent @Sendable (_ last: ListRow) async throws -> [ListRow]) -> Self {
        // Disfavored as in `refreshable`, for the sake of errors and of empty arrays.
        with { $0.pages = Self.pages(load) }
    }

    /// Loads rows made of the texts or values after `last`. An empty array means that there are none.
    public func more<Rows: Sequence & SendableMetatype>(
        _ load: @escaping @concurrent @Sendable (_ last: ListRow) async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.pages = Self.pages { last in try await load(last).map(\.row) } }
    }

    /// Loads the page that follows `last`, which knows whether it is the last one.
    @_disfavoredOverload
    public func more(_ load: @escaping @concurrent @Sendable (_ last: ListRow) async throws -> MorePage) -> Self {
        with { $0.pages = { last in .continues { _ in try await load(last) } } }
    }

    private static func pages(
        _ load: @escaping @concurrent @Sendable (_ last: ListRow) async throws -> [ListRow]
    ) -> @Sendable (ListRow) -> RefreshHandler {
        { last in
            .continues { _ in
                let rows = try await load(last)
                return MorePage(rows, isLast: rows.isEmpty)
            }
        }
    }
}

extension RefreshableList {
    /// Lets other programs change the rows over HTTP: `PATCH /lists/NAME`, `PUT` and `DELETE /lists/NAME/rows/KEY`.
    ///
    /// What they push is kept through a run that is under way; the next one decides anew, where there is a handler. From
    /// other machines they need the server's `pushToken`. Code of this process edits its `LiveList` without being asked.
    public func acceptsPushes(_ isOn: Bool = true) -> Self { with { $0.acceptsPushes = isOn } }
}

extension RefreshableList {
    /// Lets people ask for a notification when rows come while they do not look: by a button of the page, in each browser for
    /// itself.
    ///
    /// Rows of the first load and of further pages are not told. The list goes on by `every` and follows its source as long
    /// as somebody waits for rows, also while nobody watches. It takes a server with a data folder or a database: one in
    /// memory forgets who asked, and so does not offer it. By the package's traits `Web`, and `SQLite` or `PostgreSQL`.
    #if !(Web && (SQLite || PostgreSQL))
        @available(
            *, unavailable, message: "It takes the traits Web, and SQLite or PostgreSQL: name them in Package.swift."
        )
    #endif
    public func notifies(_ isOn: Bool = true) -> Self { with { $0.notify = isOn ? .rows : nil } }
}
