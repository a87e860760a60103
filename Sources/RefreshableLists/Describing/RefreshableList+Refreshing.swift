/// How a list refreshes.
///
/// All durations are counted by the server's clock, in whole milliseconds. One that is not longer than zero is a fault of
/// the description, which the server's `run()` throws.
extension RefreshableList {
    /// How the rows of a run reach people: `replace`, all at the end, unless set. A page is always added at the end.
    public func mode(_ mode: Mode) -> Self { with { $0.mode = mode } }

    /// How long a run may go without a row or a report before it ends as timed out. 30 s unless set; nil: for ever.
    ///
    /// It counts from the run's start, its last row or its last report, so length alone fails nobody who reports. The
    /// handler is cancelled then, and what it still gives is rejected. A list has four handlers at most that do not heed
    /// that: then its runs fail at once, until one of them has returned.
    public func deadline(_ deadline: Duration?) -> Self { with { $0.rules.deadline = deadline } }

    /// Refreshes by itself this long after the last refresh began, while somebody watches. Never, unless set.
    ///
    /// It rests while nobody watches, and catches up when somebody comes. Where `shouldRefresh` says no, it asks again
    /// that much later.
    public func every(_ interval: Duration?) -> Self { with { $0.rules.every = interval } }

    /// Refreshes when somebody comes to watch rows whose last success is longer ago than this. Never, unless set; but
    /// the first who watches after a start of the server loads the list in any case, unless it begins with `rows`.
    public func maximumAge(_ age: Duration?) -> Self { with { $0.maximumAge = age } }

    /// Answers a pull or a button that comes sooner than this after a success from what is there. Always refreshes,
    /// unless set.
    ///
    /// It holds back people alone: neither code nor `every`, nor a run that is under way, which is joined.
    public func minimumInterval(_ interval: Duration?) -> Self { with { $0.rules.minimumInterval = interval } }

    /// Asks before a run begins whether it may: a refresh, an initial load, or one of `every`. A text says no, and is what
    /// the person reads who asked; nil says yes, as it is unless set.
    ///
    /// It is not asked of those who join a run, nor of pages.
    ///
    /// - Parameter refusal: Called on the list's thread: answer at once.
    public func shouldRefresh(_ refusal: @escaping Refusal) -> Self { with { $0.rules.refusal = refusal } }
}
