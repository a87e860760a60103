import RefreshableLists

/// Five names without a run. Three seconds after a pull crosses 100 px, two more stand on top; three seconds later the
/// five are alone again, unless a new refresh began meanwhile.
func names(_ clock: any Clock<Duration>) -> RefreshableList {
    let five = ["Jarl", "Ehecatl", "Jayanti", "Surendra", "Medeia"]
    return RefreshableList("names")
        .rows(five.map(\.row))
        .refreshable {
            try await clock.sleep(for: .seconds(3))
            return ["Nephele", "Vesta"] + five
        }
        .then(after: .seconds(3)) { five.map(\.row) }
        .pull(.progress)
        .indicator("circular")
        .haptics()
}
