import RefreshableLists

/// The next trains. Whoever pulls sooner than ten seconds after the last success sees what is there.
func departures(from timetable: some Trains) -> RefreshableList {
    RefreshableList("departures")
        .refreshable { try await timetable.next(5).rows(key: \.number, title: \.destination, badge: \.track) }
        .minimumInterval(.seconds(10))
        .every(.seconds(60))
}

/// Where trains are known.
protocol Trains: Sendable {
    /// The trains that leave next, in order.
    func next(_ count: Int) async throws -> [Train]
}

/// A train as it stands on the board.
struct Train: Codable, Sendable {
    var number: Int
    var destination: String
    var track: String
}

/// Trains that leave one after the other, for ever.
actor Timetable: Trains {
    private var departed = 0

    func next(_ count: Int) async throws -> [Train] {
        defer { departed += 1 }
        let destinations = ["Uppsala", "Gävle", "Narvik", "Malmö", "Bergen", "Turku"]
        return (departed..<departed + count).map { number in
            Train(
                number: 700 + number, destination: destinations[number % destinations.count],
                track: "\(number % 4 + 1)")
        }
    }
}
