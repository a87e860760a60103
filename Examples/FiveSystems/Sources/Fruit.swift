import RefreshableLists

/// A call of five seconds that returns three fruits in any order. One time in six nothing has changed.
func fruit(_ clock: any Clock<Duration>) -> RefreshableList {
    RefreshableList("fruit")
        .refreshable {
            try await clock.sleep(for: .seconds(5))
            return ["Apple", "Orange", "Banana"].shuffled()
        }
}
