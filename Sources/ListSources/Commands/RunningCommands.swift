/// Counts the commands of this process that run, so that it can end after the last of them.
actor RunningCommands {
    static let shared = RunningCommands()

    private var count = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Counts a command for as long as `body` takes.
    func counting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        count += 1
        defer { ended() }
        return try await body()
    }

    /// Returns when no command runs.
    func waitForNone() async {
        guard count > 0 else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func ended() {
        count -= 1
        guard count == 0 else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
