import Foundation
import RefreshableLists

/// A recipe's scroll view: a pull primes at 50 px and refreshes on the way back. After three seconds it is "now" again.
func hours(_ clock: any Clock<Duration>) -> RefreshableList {
    RefreshableList("hours")
        .refreshable {
            try await clock.sleep(for: .seconds(3))
            return hours(after: .now)
        }
        .pull(.recipe)
        .haptics()
        .texts(["waiting": "Pull me down…", "primed": "Now release!", "loading": "Working…"])
}

/// The same with work that calls back. The first call of `done` ends the run, from whichever thread it comes.
func calledBackHours(_ clock: any Clock<Duration>) -> RefreshableList {
    RefreshableList("called-back-hours", title: "Hours, called back")
        .onRefresh { done in
            loadHours(clock) { result in
                switch result {
                case .success(let rows): done(rows)
                case .failure(let error): done.fail(error)
                }
            }
        }
        .pull(.recipe)
}

private func hours(after now: Date) -> [ListRow] {
    (1...19).map { count in
        ListRow(
            count, title: count == 1 ? "now + 1 hour" : "now + \(count) hours",
            time: now.addingTimeInterval(Double(count) * 3600))
    }
}

/// Stands for an API from before `async`.
private func loadHours(
    _ clock: any Clock<Duration>, completion: @escaping @Sendable (Result<[ListRow], any Error>) -> Void
) {
    Task {
        do {
            try await clock.sleep(for: .seconds(3))
            completion(.success(hours(after: .now)))
        } catch {
            completion(.failure(error))
        }
    }
}
