/// Letters from the history of computing, half a second each. One more each time somebody checks.
actor DemoPost: Post {
    private let clock: any Clock<Duration>
    private var received = 2

    private static let letters = [
        ("Ada Lovelace", "Notes on the engine"), ("Grace Hopper", "Found a moth"), ("Alan Turing", "Can it think?"),
        ("Hedy Lamarr", "Frequencies"), ("Library", "Two books are due"),
    ]

    init(clock: any Clock<Duration>) { self.clock = clock }

    func count() async throws -> Int {
        received += 1
        return received
    }

    func letter(_ number: Int) async throws -> Letter {
        try await clock.sleep(for: .milliseconds(500))
        let serial = received - number
        let (sender, subject) = Self.letters[serial % Self.letters.count]
        return Letter(id: "\(serial)", sender: sender, subject: subject)
    }
}
