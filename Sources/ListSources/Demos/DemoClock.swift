/// What a demo knows of time, so that a test can hold it still.
public struct DemoClock: Sendable {
    /// Milliseconds since 1970.
    public var now: @Sendable () -> Int64
    /// Waits; throws `CancellationError` if its task is cancelled meanwhile.
    public var wait: @Sendable (Duration) async throws -> Void

    /// A clock of your own.
    public init(now: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.wait = wait
    }

    /// The time of day, and waits that last `pace` times as long as they are told to.
    public static func real(pace: Double = 1) -> DemoClock {
        DemoClock(now: WallClock.milliseconds) { try await Task.sleep(for: $0 * pace) }
    }
}
