/// An event that a test waits for did not come. How long it may take is the time limit of the test's suite.
struct MissingEvent: Error, CustomStringConvertible {
    let description: String
}

/// Returns once `holds` is true, and throws when the test's time limit ends. For state without an event of its own.
func eventually(_ holds: () -> Bool) async throws {
    while !holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
