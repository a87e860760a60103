import RefreshableLists

/// What travellers should know. Other programs push it; there is nothing to pull.
func notices() -> RefreshableList {
    RefreshableList("notices")
        .rows([ListRow("welcome", title: "Welcome", subtitle: "Trains leave on time.")])
        .acceptsPushes()
}

/// Says that the departures could not be refreshed, or takes that back.
func note(_ run: FinishedRun, on notices: LiveList) async throws {
    if run.outcome.isSuccess {
        try await notices.remove("timetable")
    } else {
        try await notices.edit { rows in
            rows.set(ListRow("timetable", title: "The timetable is not available", badge: "!"), .first)
        }
    }
}
