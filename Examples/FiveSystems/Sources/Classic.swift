import Foundation
import RefreshableLists

/// A table under "Release to refresh". It says when it was last refreshed, and why it won't be more than twelve times.
func classic(_ clock: any Clock<Duration>) -> RefreshableList {
    let log = RefreshLog()
    return RefreshableList("classic")
        .refreshable {
            try await clock.sleep(for: .seconds(2))
            return try await log.note(.now).rows(key: \.number, title: \.title, time: \.date)
        }
        .shouldRefresh { log.isFull ? "Twelve refreshes are enough for today." : nil }
        .pull(.classic)
        .texts([
            "waiting": "Pull to refresh", "primed": "Release to refresh", "loading": "Loading…", "closing": "Finished",
        ])
}
