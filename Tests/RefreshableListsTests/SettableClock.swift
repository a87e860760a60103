import Locking
import WebSockets

@testable import RefreshableLists

/// A clock that a test sets.
final class SettableClock: ListClock {
    private let moment = Locked(Moment(uptime: 0, date: 1_000_000))

    let runsByItself = false
    var now: Moment { moment.withLock { $0 } }
    var uptime: Int64 {
        get { now.uptime }
        set { moment.withLock { $0.uptime = newValue } }
    }
    var date: Int64 {
        get { now.date }
        set { moment.withLock { $0.date = newValue } }
    }
}
