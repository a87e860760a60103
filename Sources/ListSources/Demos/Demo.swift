public import KeyedLists

/// A list to try pulls on, after one of the five systems that this project grew from: what it holds, how it refreshes,
/// and how it feels.
///
/// ```swift
/// Demo(named: "names")?.source
/// ```
public struct Demo: Sendable {
    /// An edit that follows a run without being one.
    public struct FollowUpEdit: Sendable {
        /// How long after the end of the run. A new run calls it off.
        public var delay: Duration
        /// What the list then holds.
        public var rows: [ListRow]
    }

    /// How a pull on this list feels where settings say nothing else.
    public struct Feel: Hashable, Sendable {
        /// The name of a preset of `PullConfiguration`.
        public var preset: String
        /// The indicator that the page draws.
        public var indicator = "default"
        /// Whether phones that can do so tick when the pull primes.
        public var haptics = false
        /// The texts of the indicator, by phase.
        public var texts: [String: String] = [:]
    }

    /// The name in settings, and of the list unless it has another.
    public let name: String
    /// The title above the list.
    public let title: String
    /// Where its rows come from.
    public let source: any RowSource
    /// The rows that it starts with, without a run; nil if the first watcher starts one.
    public var initialRows: [ListRow]?
    /// What follows a run.
    public var followUpEdit: FollowUpEdit?
    /// Whether rows are shown as they are yielded.
    public var isStreaming = false
    /// Presets, indicator and texts.
    public let feel: Feel

    init(name: String, title: String, source: any RowSource, feel: Feel) {
        self.name = name
        self.title = title
        self.source = source
        self.feel = feel
    }

    /// The names of all demos, in the order of their sources.
    public static let names = ["hours", "names", "fruit", "classic", "mailbox"]

    /// The demo of this name; nil if there is none.
    ///
    /// - Parameters:
    ///   - pace: how long its waits last, of what the sources say. A test passes 0.01.
    ///   - seed: repeats what is random; nil for another course each time.
    public init?(named name: String, pace: Double = 1, seed: UInt64? = nil) {
        self.init(named: name, clock: .real(pace: pace), pace: pace, seed: seed ?? .random(in: 0 ... .max))
    }

    init?(named name: String, clock: DemoClock, pace: Double = 1, seed: UInt64) {
        switch name {
        case "hours": self = HoursDemo.demo(clock)
        case "names": self = NamesDemo.demo(clock, pace: pace)
        case "fruit": self = FruitDemo.demo(clock, seed: seed)
        case "classic": self = ClassicDemo.demo(clock)
        case "mailbox": self = MailboxDemo.demo(clock)
        default: return nil
        }
    }
}

/// What a demo knows of time, so that a test can hold it still.
struct DemoClock: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64
    /// Waits; throws `CancellationError` if its task is cancelled meanwhile.
    var wait: @Sendable (Duration) async throws -> Void

    /// The time of day, and sleeps whose durations are multiplied by `pace`.
    static func real(pace: Double = 1) -> DemoClock {
        DemoClock(now: WallClock.milliseconds) { try await Task.sleep(for: $0 * pace) }
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
